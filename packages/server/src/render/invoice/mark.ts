const BACK = 'M17.5 6h5A2.5 2.5 0 0 1 25 8.5v13a2.5 2.5 0 0 1-2.5 2.5H21V11a3 3 0 0 0-3-3h-3a2.5 2.5 0 0 1 2.5-2z'
const FRONT =
  'M9.5 9.5h7A2.5 2.5 0 0 1 19 12v11.5a2.5 2.5 0 0 1-2.5 2.5h-7A2.5 2.5 0 0 1 7 23.5V12a2.5 2.5 0 0 1 2.5-2.5zM11 12.2a.8.8 0 0 0 0 1.6h4a.8.8 0 0 0 0-1.6z'

/**
 * The mark as an SVG of 32 x 32: a stack of two devices. The same shape as on the screens, with its half-transparent
 * white mixed beforehand, as print has no need of transparency.
 */
export const MARK_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3d4cbf"/><path d="${BACK}" fill="#949ddc"/><path fill-rule="evenodd" d="${FRONT}" fill="#ffffff"/></svg>`
