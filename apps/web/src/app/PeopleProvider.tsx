import { lazy, type ReactNode, Suspense } from 'react'
import { loadChunk } from '../base/chunk.ts'
import { type People, PeopleContext } from '../kit/people.ts'
import { useOnline } from '../realtime/online.ts'

const PersonFacts = lazy(() => loadChunk(() => import('../areas/staff/profile/PersonFacts.tsx')))

const people: People = {
  addressOf: (id) => `/profile/${id}`,
  useOnline,
  Facts: ({ id }) => (
    <Suspense fallback="…">
      <PersonFacts id={id} />
    </Suspense>
  ),
}

/** Wherever a person is named below: presence, the way to the person's page, and who it is. */
export const PeopleProvider = ({ children }: { children: ReactNode }) => (
  <PeopleContext value={people}>{children}</PeopleContext>
)
