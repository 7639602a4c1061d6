import { Membership } from '@ordinator/model/areas/memberships/membership'
import { pageByKey } from '@ordinator/model/pages'
import { MembershipActions, MembershipHistory, MembershipUsers } from '#areas/money/index.ts'
import { VStack } from '#kit/Stacks.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'

const main: RecordParts<typeof Membership>['main'] = {
  label: 'Остаток и история',
  panel: (row) => (
    <VStack gap={16}>
      <MembershipActions membership={row} />
      <MembershipHistory idMembership={row.id} />
    </VStack>
  ),
}
const tabs: RecordParts<typeof Membership>['tabs'] = {
  users: { label: 'Кто пользуется', panel: ({ id }) => <MembershipUsers idMembership={id} /> },
}

/** Абонементы: sold ones with their rest, freezing, refund and history. */
export default function MembershipsPage() {
  return (
    <RegistryPage
      page={pageByKey('memberships')}
      entity={Membership}
      main={main}
      tabs={tabs}
      isMuted={({ state }) => state === 'returned' || state === 'spent'}
    />
  )
}
