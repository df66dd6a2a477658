package screen
