import type { PageKey } from '@ordinator/model/pages'
import type { ComponentType } from 'react'

/** The screen of each page, loaded when it is opened. A page without a screen here does not compile. */
export const screens: Record<PageKey, () => Promise<{ default: ComponentType }>> = {
  dashboard: () => import('./DashboardPage.tsx'),
  tasks: () => import('./Pending.tsx'),
  users: () => import('./Pending.tsx'),
  user: () => import('./Pending.tsx'),
  roles: () => import('./Pending.tsx'),
  profile: () => import('../areas/staff/profile/ProfilePage.tsx'),
  person: () => import('../areas/staff/profile/PersonPage.tsx'),
  socket: () => import('./SocketPage.tsx'),
  login: () => import('./LoginPage.tsx'),
  error: () => import('./ErrorPage.tsx'),
}
