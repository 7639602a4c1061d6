import { Select, Text } from '@mantine/core'
import { durationOf, ServiceDuration, type VisitKind, visitKinds } from '@ordinator/model/areas/catalogue/performer'
import { ServiceEquipment } from '@ordinator/model/areas/visits/equipment'
import { counted } from '@ordinator/model/format'
import { useState } from 'react'
import { Revealed, useRevealDelay } from '#kit/RevealTogether.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, Tiles } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Muted } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { EditableList } from '#records/EditableList.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { useList } from '#records/reads.ts'
import classes from './Service.module.css'
import { ServiceFrame } from './ServiceFrame.tsx'

const MAX_RULES = 500
const minutes = (count: number) => counted(count, ['минута', 'минуты', 'минут'])

/** Длительность услуги: the rules, and a test of them. */
export default function ServiceDurationPage() {
  const mayEdit = useCan('update', ServiceDuration)
  return (
    <ServiceFrame page="serviceDuration">
      {({ id }) => (
        <div className={classes.narrow}>
          <Probe idService={id} />
          <Revealed fallback={<LinesSkeleton lines={6} />}>
            <EditableList
              entity={ServiceDuration}
              of={{ idService: id }}
              expand={['user', 'filial']}
              readOnly={!mayEdit}
              label="Правила длительности"
              fields={['minutes', 'breakAfter', 'idUser', 'idFilial', 'visit', 'online']}
              add="Новое правило"
              empty={{
                title: 'Длительность не указана',
                text: 'Начните с правила для всех: без врача, филиала и вида приёма.',
              }}
              removed={(name) => `Правило «${name}» удалено`}
              nameOf={(rule) => minutes(rule.minutes)}
              about={({ user, filial, visit, breakAfter, online }) => (
                <>
                  <span>{user ? <UserLink user={user}>{user.fio}</UserLink> : 'Все врачи'}</span>
                  <span>{filial?.nameFilial ?? 'Все филиалы'}</span>
                  <span>{visit ? `${visitKinds[visit]} приём` : 'Любой приём'}</span>
                  {breakAfter > 0 && <span>перерыв {minutes(breakAfter)}</span>}
                  {!online && <span>без онлайн-записи</span>}
                </>
              )}
            />
            <Block mt={32}>
              <h2 className={classes.heading}>Нужное оборудование</h2>
              <EditableList
                entity={ServiceEquipment}
                of={{ idService: id }}
                expand={['kind']}
                readOnly={!mayEdit}
                label="Нужное оборудование"
                fields={['idKind']}
                add="Добавить оборудование"
                empty={{
                  title: 'Оборудование не нужно',
                  text: 'Запись на эту услугу занимает только врача и кабинет.',
                }}
                removed={(name) => `${name}: больше не нужно`}
                nameOf={({ kind }) => kind?.name ?? '—'}
              />
            </Block>
          </Revealed>
        </div>
      )}
    </ServiceFrame>
  )
}

/** Shows the rule for a doctor, a branch and a kind of visit. */
function Probe({ idService }: { idService: number }) {
  const [idUser, setUser] = useState<number | null>(null)
  const [idFilial, setFilial] = useState<number | null>(null)
  const [visit, setVisit] = useState<VisitKind | null>(null)
  const rules = useList(ServiceDuration, { filter: { idService }, limit: MAX_RULES }, { forbidden: 'silent' })
  useRevealDelay(rules.isPending)
  if (!rules.data || rules.data.items.length < 2) return null
  const found = durationOf(rules.data.items, { idUser, idFilial, visit })
  return (
    <Block framed p={16} mb={16} role="group" aria-label="Проверка правил">
      <Tiles tile={180} fit gap={16}>
        <RefSelect to="users" label="Врач" placeholder="Любой" value={idUser} onChange={setUser} clearable />
        <RefSelect to="filials" label="Филиал" placeholder="Любой" value={idFilial} onChange={setFilial} clearable />
        <Select
          label="Приём"
          placeholder="Любой"
          clearable
          data={Object.entries(visitKinds).map(([value, label]) => ({ value, label }))}
          value={visit}
          onChange={(chosen) => setVisit(chosen as VisitKind | null)}
        />
      </Tiles>
      <Text mt={12} aria-live="polite">
        {found ? (
          <>
            Займёт <strong>{minutes(found.minutes)}</strong>
            {found.breakAfter > 0 && ` и ${minutes(found.breakAfter)} перерыва`}
            {!found.online && ', записать может только сотрудник'}
          </>
        ) : (
          <Muted component="span">Для такого приёма правила нет</Muted>
        )}
      </Text>
    </Block>
  )
}
