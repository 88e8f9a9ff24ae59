/** The categories that a new shop is offered. */
export const USUAL_CATEGORIES = ['Smartphones', 'Tablets', 'Laptops', 'Watches', 'Accessories'] as const
