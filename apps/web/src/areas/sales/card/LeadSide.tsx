import { CloseButton } from '@mantine/core'
import { LOSS } from '@ordinator/model/areas/sales/funnel'
import { LeadResponsible, LeadTag } from '@ordinator/model/areas/sales/lead'
import { User } from '@ordinator/model/areas/staff/user'
import { formatMoney } from '@ordinator/model/format'
import { useState } from 'react'
import { CustomerThreads } from '#areas/customers/index.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { CardField, CardPicker } from '#kit/CardField.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { isNamed } from '#kit/isNamed.ts'
import card from '#kit/openCard.module.css'
import { HStack } from '#kit/Stacks.tsx'
import { TagChip } from '#kit/TagChips.tsx'
import { distinctTags, type NamedTag, TagPicker } from '#kit/TagPicker.tsx'
import { personName, UserAvatar } from '#kit/UserAvatar.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Fine } from '#kit/Words.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { useList } from '#records/reads.ts'
import { useRemove, useSave } from '#records/writes.ts'
import type { FullLead } from './fullLead.ts'
import classes from './Lead.module.css'
import { LeadField } from './LeadField.tsx'
import type { PartProps } from './LeadMain.tsx'
import { useContacts } from './useContacts.ts'

/** Properties of the open deal. */
export function LeadSide(part: PartProps) {
  const { lead, mayEdit } = part
  return (
    <>
      {lead.stage?.idType === LOSS && (
        <>
          <LeadField {...part} name="idLossReason" />
          <LeadField {...part} name="lossNote" />
        </>
      )}
      <Sum {...part} />
      <Responsible lead={lead} mayEdit={mayEdit} />
      <LeadField {...part} name="nextStep" placeholder="Позвонить, отправить смету…" />
      <LeadField {...part} name="dateNextStep" label="Когда сделать" />
      <LeadField {...part} name="dateExpected" />
      <div>
        <LeadField {...part} name="idSource" />
        <Utm utm={lead.utm} />
      </div>
      <LeadField {...part} name="idCompany" />
      <Tags lead={lead} mayEdit={mayEdit} />
      <LeadCustomers idLead={lead.id} />
      <dl className={card.facts}>
        <dt>Создал</dt>
        <dd>{lead.user ? <UserLink user={lead.user} /> : 'Система'}</dd>
        <dt>Создана</dt>
        <dd className="tabular">{formatDateTime(lead.dateCreate)}</dd>
        <dt>На этапе с</dt>
        <dd className="tabular">{lead.dateStage ? formatDateTime(lead.dateStage) : 'Не начато'}</dd>
        {lead.dateClosed && (
          <>
            <dt>Закрыта</dt>
            <dd className="tabular">{formatDateTime(lead.dateClosed)}</dd>
          </>
        )}
      </dl>
    </>
  )
}

/** The sum, beside the accepted offers. */
function Sum(part: PartProps) {
  const { lead, draft, mayEdit } = part
  const accepted = lead.totalAccepted ?? 0
  return (
    <div>
      <LeadField {...part} name="price" />
      {!lead.isPriceByHand && accepted > 0 && <Fine>Сумма принятых услуг</Fine>}
      {lead.isPriceByHand && accepted > 0 && accepted !== lead.price && (
        <HStack gap={8} wrap>
          <Fine>Принято в предложениях: {formatMoney(accepted)}</Fine>
          {mayEdit && (
            <ActionButton
              label="Взять эту сумму"
              size="compact-xs"
              variant="subtle"
              onClick={() => {
                draft.change({ price: null }, true)
                void draft.flush()
              }}
            />
          )}
        </HStack>
      )}
    </div>
  )
}

function Responsible({ lead, mayEdit }: { lead: FullLead; mayEdit: boolean }) {
  const save = useSave(LeadResponsible)
  const remove = useRemove(LeadResponsible, {
    message: 'Ответственный снят',
    again: (id) => {
      const one = lead.responsible.find((each) => each.id === id)
      return one && { idLead: lead.id, idUser: one.idUser }
    },
  })
  return (
    <CardField label="Ответственные">
      <div className={card.chips}>
        {lead.responsible.map((one) => (
          <span key={one.id} className={card.chip}>
            <UserAvatar user={one.user ?? {}} size={22} />
            <UserLink user={one.user ?? {}} className={card.chipText} />
            {mayEdit && (
              <CloseButton
                size="xs"
                aria-label={`Снять: ${personName(one.user ?? {})}`}
                onClick={() => remove.mutate(one.id)}
              />
            )}
          </span>
        ))}
        {lead.responsible.length === 0 && <span className={card.nothing}>Не назначены</span>}
      </div>
      {mayEdit && (
        <div className={classes.add}>
          <RefSelect
            to={User.path}
            aria-label="Добавить ответственного"
            placeholder="Добавить"
            value={null}
            onChange={(idUser) =>
              idUser !== null &&
              !lead.responsible.some((one) => one.idUser === idUser) &&
              save.mutate({ idLead: lead.id, idUser })
            }
          />
        </div>
      )}
    </CardField>
  )
}

const MAX_KNOWN = 500

function Tags({ lead, mayEdit }: { lead: FullLead; mayEdit: boolean }) {
  const [opened, setOpened] = useState(false)
  const save = useSave(LeadTag)
  const remove = useRemove(LeadTag, {
    message: 'Метка снята',
    again: (id) => {
      const tag = lead.tags.find((one) => one.id === id)
      return tag && { idLead: lead.id, name: tag.name, color: tag.color, icon: tag.icon }
    },
  })
  const known = useList(
    LeadTag,
    { fields: ['name', 'color', 'icon'], sort: '-id', limit: MAX_KNOWN },
    { enabled: opened, forbidden: 'silent' },
  )
  const toggle = ({ name, color, icon }: NamedTag) => {
    const there = lead.tags.find(isNamed(name))
    if (there) remove.mutate(there.id)
    else save.mutate({ idLead: lead.id, name, color, icon })
  }
  return (
    <CardField label="Метки">
      <div className={card.chips}>
        {lead.tags.map((tag) => (
          <TagChip key={tag.id} tag={tag} onRemove={mayEdit ? () => remove.mutate(tag.id) : undefined} />
        ))}
        {mayEdit && (
          <CardPicker label="Метки" opened={opened} onChange={setOpened}>
            <TagPicker
              known={distinctTags((known.data?.items ?? []) as NamedTag[])}
              tags={lead.tags}
              onToggle={toggle}
            />
          </CardPicker>
        )}
        {!mayEdit && lead.tags.length === 0 && <span className={card.nothing}>Нет</span>}
      </div>
    </CardField>
  )
}

function Utm({ utm }: { utm: Record<string, string> | null }) {
  const marks = Object.entries(utm ?? {}).filter(([, value]) => value)
  if (marks.length === 0) return null
  return (
    <dl className={classes.utm}>
      {marks.map(([name, value]) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Timelines of the customers linked to the contacts. */
function LeadCustomers({ idLead }: { idLead: number }) {
  const contacts = useContacts(idLead).data?.items ?? []
  return <CustomerThreads customers={contacts.flatMap(({ customer }) => customer ?? [])} />
}
