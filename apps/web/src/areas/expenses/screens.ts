import type { Screens } from '#base/screens.ts'

/** Screens of the pages of this area; `app/screens.ts` joins them. */
export const screens = {
  expenses: () => import('./ExpensesPage.tsx'),
  profit: () => import('./ProfitPage.tsx'),
  expensePlan: () => import('./PlanFactPage.tsx'),
  statements: () => import('./StatementsPage.tsx'),
  expensePlans: () => import('./PlansPage.tsx'),
  expenseArticles: () => import('./ArticlesPage.tsx'),
  expenseRoutes: () => import('./RoutesPage.tsx'),
} satisfies Screens
