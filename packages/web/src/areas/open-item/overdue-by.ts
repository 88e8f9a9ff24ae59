export const overdueBy = (days: number): string => `${days} ${days === 1 ? 'day' : 'days'} overdue`
