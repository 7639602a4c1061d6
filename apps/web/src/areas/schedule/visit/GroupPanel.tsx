import { Text } from '@mantine/core'
import { IconArrowsMove, IconCalendarPlus, IconUsersGroup } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionMenu } from '#kit/ActionMenu.tsx'
import { spanText } from '#kit/dayGrid/scale.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { PhoneLink } from '#kit/PhoneLink.tsx'
import { SidePanel } from '#kit/SidePanel.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import type { BookingStart } from '../booking/booking.ts'
import { type Day, type DayGroup, type DayVisit, dayWords, roomText, startOf } from '../day.ts'
import { movesWhole, placesText } from '../grid/sheet.ts'
import { useScheduleRights } from '../rights.ts'
import type { VisitActs } from './acts/useVisitActs.ts'
import { MoveDialog } from './MoveDialog.tsx'
import { StatusChip } from './StatusChip.tsx'
import { VisitItems } from './VisitMenu.tsx'

interface Props {
  id: number
  data: Day
  today: string
  acts: VisitActs
  onOpen: (visit: DayVisit) => void
  onBook: (start: BookingStart) => void
  onClose: () => void
}

/** A group visit: participants with statuses, and booking of another place. */
export function GroupPanel({ id, data, today, acts, onOpen, onBook, onClose }: Props) {
  const rights = useScheduleRights()
  const [moving, setMoving] = useState<DayVisit | DayGroup>()
  const group = data.groups.find((one) => one.id === id)
  const members = data.visits.filter(({ idGroup }) => idGroup === id)
  const doctor = data.doctors.find(({ idUser }) => idUser === group?.idUser)
  const room = data.rooms.find((one) => one.id === group?.idRoom)
  const full = group !== undefined && group.taken + group.held >= group.capacity
  return (
    <SidePanel opened onClose={onClose} title="Групповой приём">
      {!group ? (
        <EmptyState
          icon={IconUsersGroup}
          title="Группы в этот день нет"
          text="Её перенесли, или из неё вышел последний пациент."
        />
      ) : (
        <VStack gap={20}>
          <VStack gap={4}>
            <Text fw={600} size="lg">
              {group.service}
            </Text>
            <span>
              {dayWords(group.localDate)}, {spanText({ from: startOf(group), to: startOf(group) + group.minutes })}
            </span>
            <Muted>
              {doctor && <UserLink user={{ id: doctor.idUser, shortFio: doctor.shortFio }} />}
              {doctor && room && ', '}
              {room && roomText(room.name)}
            </Muted>
            <HStack wrap pt={4}>
              <strong className="tabular">Занято мест: {placesText(group)}</strong>
              {rights.book && (
                <ActionButton
                  label="Записать в группу"
                  icon={IconCalendarPlus}
                  variant="light"
                  disabled={full}
                  onClick={() =>
                    onBook({
                      day: group.localDate,
                      localStart: group.localStart,
                      idUser: group.idUser,
                      idRoom: group.idRoom,
                      service: { value: group.idService, label: group.service },
                    })
                  }
                />
              )}
              {movesWhole(members, rights.moves) && (
                <ActionButton
                  label="Перенести группу"
                  icon={IconArrowsMove}
                  variant="default"
                  onClick={() => setMoving(group)}
                />
              )}
            </HStack>
            {full && <Fine>Свободных мест нет: запишите на другое время или в лист ожидания.</Fine>}
          </VStack>
          <section aria-label="Пациенты">
            <h2>Пациенты</h2>
            <ul>
              {members.map((visit, at) => (
                <HStack key={visit.id} component="li" gap={8} py={8} rule={at ? 'top' : undefined}>
                  <Block grow miw={0}>
                    <ActionButton
                      label={visit.patient ?? 'Пациент'}
                      variant="subtle"
                      size="compact-sm"
                      ml={-8}
                      maw="100%"
                      onClick={() => onOpen(visit)}
                    />
                    <HStack wrap gap={8}>
                      <StatusChip status={visit.visitStatus} />
                      {visit.phone && (
                        <Muted>
                          <PhoneLink phone={visit.phone} bare />
                        </Muted>
                      )}
                      {visit.needsRebook && <Fine c="var(--mantine-color-error)">Требует переноса</Fine>}
                    </HStack>
                  </Block>
                  <ActionMenu label={`Действия: ${visit.patient ?? 'запись'}`} size={28} width={260}>
                    <VisitItems
                      visit={visit}
                      today={today}
                      acts={acts}
                      onOpen={() => onOpen(visit)}
                      onMove={() => setMoving(visit)}
                    />
                  </ActionMenu>
                </HStack>
              ))}
            </ul>
          </section>
        </VStack>
      )}
      {moving && <MoveDialog visit={moving} doctors={data.doctors} acts={acts} onClose={() => setMoving(undefined)} />}
    </SidePanel>
  )
}
