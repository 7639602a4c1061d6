import { Alert, Select } from '@mantine/core'
import { can, holds } from '@ordinator/model/access'
import { CashDesk, ONLY_BY_LINK, takesByHand } from '@ordinator/model/areas/money/desk'
import { Desk } from '@ordinator/model/areas/visits/visit'
import type { Expanded } from '@ordinator/model/client'
import { type ReactNode, useState } from 'react'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { useLastChoice } from '#records/lastChoice.ts'
import { useList } from '#records/reads.ts'
import { lastDesk } from '../reads.ts'

const MAX_DESKS = 100

type DeskRow = Expanded<typeof CashDesk, 'filial'>

/**
 * Active desks, and the current one: the chosen, the branch's, or the first.
 * @param isTaking those that take money by hand, if there are any
 */
export function useDesks(idDesk: number | undefined, idFilial?: number, { isTaking = false } = {}) {
  const last = useLastChoice(CashDesk.path)
  const [chosen, choose] = useState<number | undefined>(idDesk ?? lastDesk())
  const query = { filter: { active: true }, expand: ['filial'], limit: MAX_DESKS } as const
  const all = useList(CashDesk, query, { forbidden: 'silent' }).data?.items
  const taking = isTaking ? all?.filter(takesByHand) : undefined
  const desks = taking?.length ? taking : all
  const at = (wanted: number | undefined) => desks?.find(({ id }) => id === wanted)
  const desk = at(chosen) ?? desks?.find((one) => one.idFilial === idFilial) ?? at(last.id) ?? desks?.[0]
  const setDesk = (id: number) => {
    last.keep(id)
    choose(id)
  }
  return { desks, desk, setDesk }
}

/** Desks to choose from; equal names have the branch. */
export const deskOptions = (desks: readonly DeskRow[]) =>
  desks.map(({ id, name, filial }) => {
    const isSameName = desks.some((other) => other.id !== id && other.name === name)
    return { value: String(id), label: isSameName && filial ? `${name}, ${filial.nameFilial}` : name }
  })

interface Props {
  desks: readonly DeskRow[] | undefined
  desk: DeskRow | undefined
  onChange: (id: number) => void
}

/** Why the user has no desk, and what to do. @param none the user has none: what is missing is read then only */
export function useNoDesks(none: boolean): { title: string; text: string; action?: ReactNode } {
  const actor = useActor()
  const seesAll = holds(actor, 'viewAllCashDesks')
  const makes = can(actor, 'create', CashDesk)
  const asked = none && !seesAll && !makes
  const places = useList(Desk, { filter: { idUser: actor.id }, limit: 1 }, { enabled: asked, forbidden: 'silent' })
  const title = seesAll ? 'Касс пока нет' : 'Вам не видна ни одна касса'
  if (!makes) {
    if (seesAll || places.data?.items.length)
      return {
        title,
        text: `${seesAll ? 'Оплату принимают' : 'В вашем филиале касс пока нет: оплату принимают'} на рабочем месте кассы. Попросите администратора завести его в настройках.`,
      }
    return {
      title,
      text: 'Вас нет в регистратуре ни одного филиала. Попросите администратора добавить вас: «Филиалы», нужный филиал, вкладка «Регистратура».',
    }
  }
  return {
    title,
    text: seesAll
      ? 'Заведите рабочее место кассы: без него оплату не принять.'
      : 'Заведите рабочее место кассы. Если оно уже есть, добавьте себя в филиале на вкладку «Регистратура».',
    action: (
      <HStack wrap justify="center">
        <ActionButton
          label="Завести кассу"
          renderRoot={(props) => <PageLink {...props} page="cashDesks" search={{ open: 'new' }} />}
        />
        <ActionButton
          label="К филиалам"
          variant="default"
          renderRoot={(props) => <PageLink {...props} page="filials" />}
        />
      </HStack>
    ),
  }
}

/** Why a payment cannot be taken at the desk, and where to set it up. */
export function OnlyByLink() {
  const maySet = can(useActor(), 'create', CashDesk)
  return (
    <Alert color="yellow" variant="light" title="Здесь оплату не принять">
      {ONLY_BY_LINK}.
      {maySet && (
        <HStack mt={8}>
          <ActionButton
            label="К рабочим местам касс"
            size="xs"
            variant="default"
            renderRoot={(props) => <PageLink {...props} page="cashDesks" />}
          />
        </HStack>
      )}
    </Alert>
  )
}

/** Select of the desk; hidden for one desk, a notice for none. */
export function DeskSelect({ desks, desk, onChange }: Props) {
  const none = useNoDesks(desks?.length === 0)
  if (desks?.length === 0)
    return (
      <Alert color="yellow" variant="light" title={none.title}>
        {none.text}
      </Alert>
    )
  if (!desks || desks.length < 2) return null
  return (
    <Select
      label="Касса"
      data={deskOptions(desks)}
      value={desk ? String(desk.id) : null}
      onChange={(chosen) => onChange(Number(chosen))}
    />
  )
}
