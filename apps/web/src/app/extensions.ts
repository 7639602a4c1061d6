import type { Permission } from '@ordinator/model/permissions'
import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

type Part = ComponentType | LazyExoticComponent<ComponentType>

/** What areas hang into the top bar between the connection and the user, left to right: the bell, the phone. */
export const topBarItems: { key: string; component: Part }[] = [
  { key: 'bell', component: lazy(() => import('../areas/notifications/Bell.tsx')) },
]

/** The widgets of the dashboard, in their order; `any`: one of these permissions shows it. */
export const dashboardWidgets: { key: string; any?: Permission[]; component: Part }[] = [
  { key: 'news', component: lazy(() => import('../areas/news/NewsBlock.tsx')) },
]
