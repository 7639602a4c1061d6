import { Call } from '@ordinator/model/areas/calls/call'
import { LeadLink } from '@ordinator/model/areas/sales/lead'
import { callWords, useCallLinks } from '#areas/calls/index.ts'
import { LinkedRecords } from '#records/LinkedRecords.tsx'
import { useList } from '#records/reads.ts'
import { SuggestedLinks } from '#records/SuggestedLinks.tsx'
import { Section } from './Section.tsx'
import { useContacts } from './useContacts.ts'

/** Maximum calls searched by the contacts' numbers. */
const MOST = 50

/** Linked calls, and suggestions by the contacts' numbers. */
export function Calls({ idLead, mayEdit }: { idLead: number; mayEdit: boolean }) {
  const kind = useCallLinks('со сделкой')
  return (
    <LinkedRecords
      kind={kind}
      links={LeadLink}
      of={{ idLead }}
      mayEdit={mayEdit}
      suggest={(linked, onLink) => <SameNumber kind={kind} idLead={idLead} linked={linked} onLink={onLink} />}
      frame={(title, count, body) => (
        <Section title={title} count={count}>
          {body}
        </Section>
      )}
    />
  )
}

interface SameNumberProps {
  kind: ReturnType<typeof useCallLinks>
  idLead: number
  linked: readonly number[]
  onLink: (idCall: number) => void
}

function SameNumber({ kind: { expand, icon }, idLead, linked, onLink }: SameNumberProps) {
  const contacts = useContacts(idLead)
  const phones = [...new Set((contacts.data?.items ?? []).flatMap(({ phone }) => phone ?? []))]
  const calls = useList(
    Call,
    { filter: { contactPhone: { in: phones } }, expand, sort: '-dateCreate', limit: MOST },
    { enabled: phones.length > 0, forbidden: 'silent' },
  )
  const found = (calls.data?.items ?? []).filter(({ id }) => !linked.includes(id))
  return (
    <SuggestedLinks
      title={phones.length === 1 ? 'Звонки с этого номера' : 'Звонки с номеров контактов'}
      rows={phones.length ? found : []}
      words={callWords}
      icon={icon}
      onLink={onLink}
    />
  )
}
