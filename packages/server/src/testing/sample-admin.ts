/** The administrator of the shops in journeys and of the sample shop. */
export const ADMIN = { email: 'admin@backstock.test', password: 'correct horse' }
