import { IconBuildingBank, IconChartHistogram, IconReceipt2, type TablerIcon } from '@tabler/icons-react'

/** Icons of the pages of this area by their keys in the page list; `app/icons.ts` joins them. */
export const icons = {
  expenses: IconReceipt2,
  profit: IconChartHistogram,
  bank: IconBuildingBank,
} satisfies Readonly<Record<string, TablerIcon>>
