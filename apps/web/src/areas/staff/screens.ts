import type { Screens } from '#base/screens.ts'

/** Screens of the pages of this area; `app/screens.ts` joins them. */
export const screens = {
  users: () => import('./users/UsersPage.tsx'),
  user: () => import('./users/UserPage.tsx'),
  staff: () => import('./users/UsersPage.tsx'),
  staffAccount: () => import('./users/UserPage.tsx'),
  roles: () => import('./roles/RolesPage.tsx'),
  profile: () => import('./profile/ProfilePage.tsx'),
  person: () => import('./profile/PersonPage.tsx'),
} satisfies Screens
