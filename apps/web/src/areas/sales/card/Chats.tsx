import { LeadLink } from '@ordinator/model/areas/sales/lead'
import { chatLinks } from '#areas/links/index.ts'
import { LinkedRecords } from '#records/LinkedRecords.tsx'
import { Section } from './Section.tsx'

const kind = chatLinks('со сделкой')

/** Linked chats of the deal. */
export function Chats({ idLead, mayEdit }: { idLead: number; mayEdit: boolean }) {
  return (
    <LinkedRecords
      kind={kind}
      links={LeadLink}
      of={{ idLead }}
      mayEdit={mayEdit}
      frame={(title, count, body) => (
        <Section title={title} count={count}>
          {body}
        </Section>
      )}
    />
  )
}
