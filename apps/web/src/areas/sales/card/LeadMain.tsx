import { LeadFile, SalesFile } from '@ordinator/model/areas/sales/file'
import type { Lead } from '@ordinator/model/areas/sales/lead'
import type { QueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Attachments } from '#areas/files/index.ts'
import { useAddress } from '#base/address.ts'
import { recordsWith } from '#base/client.ts'
import { CommentThread } from '#records/comments/CommentThread.tsx'
import { invalidateRecords } from '#records/keys.ts'
import type { DraftState, RecordDraft } from '#records/recordDraft.ts'
import type { UploadTarget } from '#records/uploads.ts'
import { Calls } from './Calls.tsx'
import { Chats } from './Chats.tsx'
import { Contacts } from './Contacts.tsx'
import type { FullLead } from './fullLead.ts'
import classes from './Lead.module.css'
import { LeadField } from './LeadField.tsx'
import { LeadReach } from './LeadReach.tsx'
import { LeadTasks } from './LeadTasks.tsx'
import { useLeadDiscussion } from './leadDiscussion.ts'
import { Section } from './Section.tsx'
import type { LeadCounts } from './useLeadCounts.ts'

export interface PartProps {
  lead: FullLead
  draft: RecordDraft<typeof Lead>
  state: DraftState<typeof Lead>
  mayEdit: boolean
}

const readComment = (search: Record<string, unknown>) => ({ comment: Number(search.comment) || undefined })

/** Middle of the open deal: contacts, subject, tasks, comments. */
export function LeadMain({ counts, ...part }: PartProps & { counts: LeadCounts | undefined }) {
  const { lead, mayEdit } = part
  const discussion = useLeadDiscussion(lead)
  const [{ comment }] = useAddress(readComment)
  const target = useMemo(() => (cache: QueryClient) => toLead(lead.id, cache), [lead.id])
  return (
    <>
      <LeadReach idLead={lead.id} mayEdit={mayEdit} />
      <Contacts idLead={lead.id} mayEdit={mayEdit} />
      <div className={classes.section}>
        <LeadField {...part} name="description" placeholder="О чём договорились, что важно знать" />
      </div>
      <LeadTasks lead={lead} mayEdit={mayEdit} />
      <Chats idLead={lead.id} mayEdit={mayEdit} />
      <Calls idLead={lead.id} mayEdit={mayEdit} />
      <Attachments links={LeadFile} of={{ idLead: lead.id }} target={target} mayEdit={mayEdit} to="к сделке" />
      <Section title="Комментарии" count={counts?.commentsTotalCount}>
        <CommentThread discussion={discussion} sought={comment} />
      </Section>
    </>
  )
}

const toLead = (idLead: number, cache: QueryClient): UploadTarget => ({
  key: `lead:${idLead}`,
  stored: SalesFile,
  whereToLook: 'Откройте сделку, чтобы повторить.',
  async take({ id }) {
    await quiet.create(LeadFile, { idLead, idFile: id })
    await invalidateRecords(cache, LeadFile.path)
  },
})

/** Errors are shown at the file itself. */
const quiet = recordsWith({ forbidden: 'silent' })
