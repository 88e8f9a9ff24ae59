/** The categories that a new shop can add at once. */
export const USUAL_CATEGORIES = ['Smartphones', 'Tablets', 'Laptops', 'Watches', 'Accessories'] as const
