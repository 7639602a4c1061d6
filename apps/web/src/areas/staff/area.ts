import { IconShieldCheck, IconUserCircle, IconUsers } from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const staff = {
  icons: {
    users: IconUsers,
    roles: IconShieldCheck,
    profile: IconUserCircle,
  },
  screens: {
    users: () => import('./users/UsersPage.tsx'),
    user: () => import('./users/UserPage.tsx'),
    staff: () => import('./users/UsersPage.tsx'),
    staffAccount: () => import('./users/UserPage.tsx'),
    roles: () => import('./roles/RolesPage.tsx'),
    profile: () => import('./profile/ProfilePage.tsx'),
    person: () => import('./profile/PersonPage.tsx'),
  },
} satisfies Area
