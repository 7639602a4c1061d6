import { useMemo } from 'react'
import type { GridColumn } from '#kit/dayGrid/grid.ts'
import type { PersonLike } from '#kit/UserAvatar.tsx'
import { type Day, roomText, shortDay, weekOf } from '../day.ts'
import { ColumnHead } from './ColumnHead.tsx'
import { type ColumnKind, loadsOf, NO_ROOM } from './sheet.ts'

interface Of {
  data: Day
  kind: ColumnKind
  day: string
  today: string
  /** Ids of the chosen doctors, joined; absent: all. */
  wanted: string | undefined
}

/** Columns of the grid: doctors, rooms, or days of a doctor's week. */
export function useSheetColumns({ data, kind, day, today, wanted }: Of): GridColumn[] {
  const loads = useMemo(() => loadsOf(data, kind), [data, kind])
  return useMemo((): GridColumn[] => {
    const columns = {
      doctors: () =>
        data.doctors
          .filter((doctor) => !wanted || wanted.split(',').includes(String(doctor.idUser)))
          .map(({ idUser, shortFio, speciality, post, color }) => ({
            key: String(idUser),
            name: shortFio,
            who: { id: idUser, shortFio },
            more: speciality ?? post,
            color,
          })),
      rooms: () => [
        ...data.rooms.map((room) => ({ key: String(room.id), name: roomText(room.name), more: null })),
        ...(data.visits.some(({ idRoom }) => idRoom === null)
          ? [{ key: NO_ROOM, name: 'Без кабинета', more: null }]
          : []),
      ],
      days: () =>
        weekOf(day).map((one) => ({
          key: one,
          name: shortDay(one),
          more: data.special.find(({ date }) => date === one)?.reason ?? (one === today ? 'сегодня' : null),
        })),
    }[kind]() as { key: string; name: string; who?: PersonLike; more: string | null; color?: string | null }[]
    return columns.map(({ key, name, who, more, color }) => ({
      key,
      name: more ? `${name}, ${more}` : name,
      head: (
        <ColumnHead title={name} who={who} more={more} color={color} load={loads.get(key)} marked={key === today} />
      ),
    }))
  }, [data, kind, loads, wanted, day, today])
}
