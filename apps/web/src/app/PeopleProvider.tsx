import { Customer } from '@ordinator/model/areas/customers/customer'
import { User } from '@ordinator/model/areas/staff/user'
import { oldCrmAddress } from '@ordinator/model/oldCrm'
import { pagePath } from '@ordinator/model/pages'
import type { ReactNode } from 'react'
import { part } from '../base/chunk.ts'
import { session } from '../base/session.ts'
import { PersonTips } from '../kit/PersonTips.tsx'
import { type People, PeopleContext } from '../kit/people.ts'
import { useOnline } from '../realtime/online.ts'

const PersonFacts = part(() => import('../areas/staff/profile/PersonFacts.tsx'), '…')

const CustomerFacts = part(() => import('../areas/customers/CustomerFacts.tsx'), '…')

const people: People = {
  ways: {
    [User.path]: { addressOf: (id) => `/profile/${id}`, Facts: PersonFacts },
    [Customer.path]: {
      addressOf: (id) =>
        oldCrmAddress(session.account()?.common.settings.oldCrmUrl, 'customers/:id', { id }) ??
        `${pagePath('customer')}?id=${id}`,
      Facts: CustomerFacts,
    },
  },
  useOnline,
}

/** Wherever a person is named below: presence, the way to the person's page, and who it is. */
export const PeopleProvider = ({ children }: { children: ReactNode }) => (
  <PeopleContext value={people}>
    {children}
    <PersonTips />
  </PeopleContext>
)
