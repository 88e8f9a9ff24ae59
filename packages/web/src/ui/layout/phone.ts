/** The widths with a layout for phones. */
export const PHONE = '(max-width: 575px)'
