/** Of the button alone: the others come with the dialog. */
export const shareOpen = 'Partager cette vue'
