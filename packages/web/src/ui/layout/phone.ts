/** The media query for screens that get the layout for phones. */
export const PHONE = '(max-width: 575px)'
