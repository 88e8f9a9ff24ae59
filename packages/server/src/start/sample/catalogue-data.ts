import type { VatTypeTreatment } from '@backstock/contract/treatment.ts'

export const CATEGORIES = ['Smartphones', 'Tablets', 'Smartwatches', 'Laptops'] as const
export type Category = (typeof CATEGORIES)[number]

/** The VAT types of the sample shop. `rate` is in percent. */
export const VAT_RATES: { name: string; rate: number; treatment?: VatTypeTreatment }[] = [
  { name: 'Standard', rate: 21 },
  { name: 'Reduced', rate: 9 },
  { name: 'Zero', rate: 0, treatment: 'zero' },
]

/**
 * A model with the price of a grade A device in whole euros, and its variants: capacity in GB (0 for none) and colour.
 */
type Model = [make: string, model: string, category: Category, euros: number, variants: [gigabytes: number, string][]]

// biome-ignore format: a table
export const MODELS: Model[] = [
  ['Apple', 'iPhone 11', 'Smartphones', 229, [[64, 'Black'], [64, 'White']]],
  ['Apple', 'iPhone 12', 'Smartphones', 299, [[64, 'Black'], [128, 'Blue']]],
  ['Apple', 'iPhone 12 Pro', 'Smartphones', 359, [[128, 'Graphite']]],
  ['Apple', 'iPhone 13', 'Smartphones', 389, [[128, 'Midnight'], [128, 'Blue'], [256, 'Starlight']]],
  ['Apple', 'iPhone 13 mini', 'Smartphones', 339, [[128, 'Pink']]],
  ['Apple', 'iPhone 14', 'Smartphones', 479, [[128, 'Midnight'], [256, 'Purple']]],
  ['Apple', 'iPhone 15', 'Smartphones', 619, [[128, 'Black'], [256, 'Pink']]],
  ['Apple', 'iPhone 15 Pro', 'Smartphones', 799, [[256, 'Titanium']]],
  ['Apple', 'iPhone SE (2022)', 'Smartphones', 219, [[64, 'Midnight']]],
  ['Apple', 'iPad (9th generation)', 'Tablets', 259, [[64, 'Grey']]],
  ['Apple', 'iPad Air (5th generation)', 'Tablets', 429, [[64, 'Blue']]],
  ['Apple', 'Watch Series 8 45 mm', 'Smartwatches', 269, [[0, 'Midnight']]],
  ['Apple', 'MacBook Air M1', 'Laptops', 649, [[256, 'Grey']]],
  ['Samsung', 'Galaxy S20 FE', 'Smartphones', 199, [[128, 'Blue']]],
  ['Samsung', 'Galaxy S21', 'Smartphones', 249, [[128, 'Grey'], [128, 'Violet']]],
  ['Samsung', 'Galaxy S22', 'Smartphones', 329, [[128, 'Black'], [128, 'White']]],
  ['Samsung', 'Galaxy S23', 'Smartphones', 449, [[128, 'Green'], [256, 'Black']]],
  ['Samsung', 'Galaxy A52', 'Smartphones', 169, [[128, 'Black']]],
  ['Samsung', 'Galaxy A54', 'Smartphones', 219, [[128, 'Violet']]],
  ['Samsung', 'Galaxy Z Flip4', 'Smartphones', 389, [[128, 'Purple']]],
  ['Samsung', 'Galaxy Tab S8', 'Tablets', 419, [[128, 'Graphite']]],
  ['Samsung', 'Galaxy Watch5', 'Smartwatches', 129, [[0, 'Black']]],
  ['Google', 'Pixel 6', 'Smartphones', 239, [[128, 'Black']]],
  ['Google', 'Pixel 7', 'Smartphones', 299, [[128, 'White'], [128, 'Black']]],
  ['Google', 'Pixel 7a', 'Smartphones', 269, [[128, 'Blue']]],
  ['Google', 'Pixel 8', 'Smartphones', 429, [[128, 'Grey']]],
  ['Xiaomi', 'Redmi Note 11', 'Smartphones', 109, [[128, 'Grey']]],
  ['Xiaomi', '12T', 'Smartphones', 239, [[256, 'Black']]],
  ['Xiaomi', '13', 'Smartphones', 379, [[256, 'Green']]],
  ['OnePlus', 'Nord 2', 'Smartphones', 179, [[128, 'Blue']]],
  ['OnePlus', '9', 'Smartphones', 249, [[128, 'Black']]],
  ['OnePlus', '11', 'Smartphones', 429, [[256, 'Green']]],
  ['Huawei', 'P30', 'Smartphones', 129, [[128, 'Black']]],
  ['Huawei', 'P30 Pro', 'Smartphones', 169, [[128, 'Blue']]],
  ['Huawei', 'MediaPad T5', 'Tablets', 79, [[32, 'Black']]],
  ['Nokia', 'G22', 'Smartphones', 89, [[64, 'Grey']]],
  ['Nokia', 'X20', 'Smartphones', 129, [[128, 'Blue']]],
  ['Nokia', '105', 'Smartphones', 19, [[0, 'Black']]],
  ['Motorola', 'Moto G54', 'Smartphones', 119, [[256, 'Blue']]],
  ['Motorola', 'Edge 40', 'Smartphones', 249, [[256, 'Black']]],
  ['Sony', 'Xperia 5 III', 'Smartphones', 299, [[128, 'Black']]],
  ['Sony', 'Xperia 10 IV', 'Smartphones', 189, [[128, 'White']]],
  ['Fairphone', 'Fairphone 4', 'Smartphones', 319, [[128, 'Grey'], [256, 'Grey']]],
  ['Fairphone', 'Fairphone 5', 'Smartphones', 469, [[256, 'Blue']]],
  ['OPPO', 'Find X5', 'Smartphones', 289, [[256, 'Black']]],
  ['OPPO', 'A78', 'Smartphones', 139, [[128, 'Green']]],
  ['Lenovo', 'ThinkPad X1 Carbon Gen 9', 'Laptops', 699, [[512, 'Black']]],
  ['Lenovo', 'ThinkPad T14 Gen 2', 'Laptops', 489, [[256, 'Black']]],
  ['Lenovo', 'Tab M10', 'Tablets', 99, [[64, 'Grey']]],
]
