import type { EntityAt } from '@ordinator/model/entities'
import { oldCrmAddress } from '@ordinator/model/oldCrm'
import { pagePath } from '@ordinator/model/pages'
import type { ReactNode } from 'react'
import { session } from '#base/session.ts'
import { part } from '#kit/chunk.ts'
import { PersonTips } from '#kit/PersonTips.tsx'
import { type People, PeopleContext } from '#kit/people.ts'
import { useOnline } from '#realtime/online.ts'

const PersonFacts = part(() => import('#areas/staff/profile/PersonFacts.tsx'), '…')

const CustomerTip = part(() => import('./CustomerTip.tsx'), '…')

/** Only the paths, without importing the declarations. */
const USERS: EntityAt<'users'>['path'] = 'users'
const CUSTOMERS: EntityAt<'customers'>['path'] = 'customers'

const people: People = {
  ways: {
    [USERS]: { addressOf: (id) => `/profile/${id}`, Facts: PersonFacts },
    [CUSTOMERS]: {
      addressOf: (id) =>
        oldCrmAddress(session.account()?.common.settings.oldCrmUrl, 'customers/:id', { id }) ??
        `${pagePath('customer')}?id=${id}`,
      Facts: CustomerTip,
    },
  },
  useOnline,
}

/** Provides presence, links and tooltips for all names of people below. */
export const PeopleProvider = ({ children }: { children: ReactNode }) => (
  <PeopleContext value={people}>
    {children}
    <PersonTips />
  </PeopleContext>
)
