/** Up to where a screen is laid out for a phone. */
export const PHONE = '(max-width: 575px)'
