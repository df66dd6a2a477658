package say

// Words of the line face about a line that was typed.

// NotText refuses a line that holds arrows or other keys.
const NotText = "That line holds keys that are not text, so it was not taken: type it again."
