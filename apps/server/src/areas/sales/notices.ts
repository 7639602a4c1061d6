import { Lead } from '@ordinator/model/areas/sales/lead'
import sql from 'sql-template-tag'
import { notify } from '#areas/notifications/index.ts'
import { actorOfUser } from '#auth/actors.ts'
import type { WriteContext } from '#records/define.ts'

interface LeadNotice {
  /** Second part of the kind: `responsible`, `remind`. */
  event: string
  title: string
  text?: string
  /** Absent: the responsible, or the creator without one. */
  to?: readonly number[]
}

/** Notifies people about a deal; users without access to deals are skipped. */
export async function notifyOfLead(
  context: WriteContext,
  idLead: number,
  { event, title, text, to }: LeadNotice,
): Promise<void> {
  const lead = await context.tx.one<{ title: string; idFunnel: number | null; people: number[] }>(sql`
    select l."title", s."idFunnel", coalesce((
      select json_agg(r."idUser" order by r."id") from sales_management_responsible r where r."idLead" = l."id"
    ), json_build_array(l."idUser")) as people
    from sales_management_leads l left join sales_management_stages s on s."id" = l."idStage" where l."id" = ${idLead}`)
  if (!lead) return
  const recipients: number[] = []
  for (const idUser of to ?? lead.people) {
    const permissions = (await actorOfUser(context.tx, idUser))?.permissions
    if (permissions?.viewSalesManagement || permissions?.editSalesManagement) recipients.push(idUser)
  }
  await notify(context, recipients, {
    kind: `lead.${event}`,
    title: title.slice(0, 255),
    text: (text ?? lead.title).slice(0, 1000),
    path: Lead.path,
    idEntity: idLead,
    link: `/deals?lead=${idLead}${lead.idFunnel ? `&funnel=${lead.idFunnel}` : ''}`,
  })
}
