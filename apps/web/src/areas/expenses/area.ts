import { IconBuildingBank, IconChartHistogram, IconReceipt2 } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const expenses = {
  icons: {
    expenses: IconReceipt2,
    profit: IconChartHistogram,
    bank: IconBuildingBank,
  },
  screens: {
    expenses: () => import('./ExpensesPage.tsx'),
    profit: () => import('./ProfitPage.tsx'),
    expensePlan: () => import('./PlanFactPage.tsx'),
    statements: () => import('./StatementsPage.tsx'),
    expensePlans: () => import('./PlansPage.tsx'),
    expenseArticles: () => import('./ArticlesPage.tsx'),
    expenseRoutes: () => import('./RoutesPage.tsx'),
  },
} satisfies Area
