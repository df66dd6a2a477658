package action

// Kinds is how many kinds of messages there are.
const Kinds = kinds
