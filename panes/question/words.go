package question

// textOnly and textBack are behind the key that shows only the text, and the options again.
const textOnly, textBack = "text", "back"
