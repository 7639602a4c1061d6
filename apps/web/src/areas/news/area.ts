import { IconNews } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const news = {
  icons: {
    news: IconNews,
  },
  screens: {
    news: () => import('./NewsPage.tsx'),
    newsItem: () => import('./NewsItemPage.tsx'),
  },
} satisfies Area
