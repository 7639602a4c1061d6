import { IconShieldCheck, IconUserCircle, IconUsers, type TablerIcon } from '@tabler/icons-react'

/** Icons of the pages of this area by their keys in the page list; `app/icons.ts` joins them. */
export const icons = {
  users: IconUsers,
  roles: IconShieldCheck,
  profile: IconUserCircle,
} satisfies Readonly<Record<string, TablerIcon>>
