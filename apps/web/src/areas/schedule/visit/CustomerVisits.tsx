import { Alert } from '@mantine/core'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import type { Filter } from '@ordinator/model/client'
import { counted } from '@ordinator/model/format'
import { useState } from 'react'
import { useAddress } from '#base/address.ts'
import { id } from '#base/addressValues.ts'
import { ListStates } from '#kit/ListStates.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Muted } from '#kit/Words.tsx'
import { useEndlessList, useList } from '#records/reads.ts'
import { dayWords } from '../day.ts'
import classes from './CustomerVisits.module.css'
import { StatusChip } from './StatusChip.tsx'
import { VisitPanel } from './VisitPanel.tsx'

const PORTION = 20

/** Visits of a patient. */
export default function CustomerVisits({ idCustomer }: { idCustomer: number }) {
  const [{ visit }, setAddress] = useAddress((search) => ({ visit: id(search.visit) }))
  // «Ahead» refers to the time the card was opened.
  const [now] = useState(() => new Date().toISOString())
  const missed = useList(
    Appointment,
    {
      filter: { idCustomer, visitStatus: 'noShow', dateFrom: { gte: yearBefore(now) } },
      limit: 1,
      count: 'exact',
      fields: ['id'],
    },
    { forbidden: 'silent' },
  ).data?._meta.totalCount
  const show = (idVisit: number) => setAddress({ visit: idVisit })
  return (
    <VStack gap={24}>
      {missed ? (
        <Alert color="yellow" variant="light" role="status">
          Не пришёл за год: {counted(missed, ['раз', 'раза', 'раз'])}
        </Alert>
      ) : null}
      <Visits
        title="Предстоят"
        none="Записей впереди нет"
        filter={{ idCustomer, dateFrom: { gte: now }, visitStatus: { in: open } }}
        sort="dateFrom"
        onOpen={show}
      />
      <Visits
        title="Прошедшие"
        none="Прошлых записей нет"
        filter={{ idCustomer, or: [{ dateFrom: { lt: now } }, { visitStatus: { nin: open } }] }}
        sort="-dateFrom"
        onOpen={show}
      />
      {visit !== undefined && <VisitPanel id={visit} onClose={() => setAddress({ visit: undefined })} />}
    </VStack>
  )
}

/** Statuses of open visits; closed ones are listed as past whatever their time. */
const open = ['booked', 'confirmed', 'arrived', 'inProgress'] as const

const yearBefore = (moment: string): string => {
  const date = new Date(moment)
  date.setUTCFullYear(date.getUTCFullYear() - 1)
  return date.toISOString()
}

interface Props {
  title: string
  none: string
  filter: Filter<typeof Appointment>
  sort: 'dateFrom' | '-dateFrom'
  onOpen: (id: number) => void
}

function Visits({ title, none, filter, sort, onOpen }: Props) {
  const list = useEndlessList(Appointment, { filter, sort, limit: PORTION, expand: ['user', 'filial'] })
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ListStates
        list={list}
        failed="Записи не загрузились"
        waiting={<LinesSkeleton lines={3} />}
        empty={
          <Muted component="p" mt={8}>
            {none}
          </Muted>
        }
      >
        {(visits, more) => (
          <>
            <ul className={classes.list}>
              {visits.map((one) => (
                <li key={one.id} className={classes.line}>
                  <button type="button" className={classes.when} onClick={() => onOpen(one.id)}>
                    {dayWords(one.localDate)}, {one.localStart}
                  </button>
                  <span className={classes.what}>
                    {one.services}
                    <Muted>
                      {' '}
                      {one.user && <UserLink user={one.user} />}
                      {one.user && one.filial && ' · '}
                      {one.filial?.nameFilial}
                    </Muted>
                  </span>
                  <StatusChip status={one.visitStatus} />
                </li>
              ))}
            </ul>
            {more}
          </>
        )}
      </ListStates>
    </section>
  )
}
