export const ROLES = ['ROLE_USER', 'ROLE_ADMIN'] as const
export type Role = (typeof ROLES)[number]
export const ROLE_TITLES: Record<Role, string> = { ROLE_USER: 'User', ROLE_ADMIN: 'Admin' }

export const EMAIL_MAX = 186
export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 32
