import { Select } from '@mantine/core'
import { Move, pastStatuses } from '@ordinator/model/areas/moving/move'
import type { Row } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import { IconBan, IconRotate } from '@tabler/icons-react'
import { IconButton } from '#kit/IconButton.tsx'
import { Block, HStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { useSave } from '#records/writes.ts'
import sharedClasses from './Moving.module.css'
import { type Unknown, useRefresh } from './movingCalls.ts'
import classes from './UnknownNames.module.css'

const words = {
  doctors: { title: 'Неизвестные врачи', to: 'users', ask: 'Кто это у нас' },
  services: { title: 'Неизвестные услуги', to: 'services', ask: 'Какая это услуга' },
  rooms: { title: 'Неизвестные кабинеты', to: 'filials/rooms', ask: 'Какой это кабинет' },
  organizations: { title: 'Неизвестные организации', to: 'organizations', ask: 'Какая это организация' },
  patients: { title: 'Пациенты без карты', to: 'customers', ask: 'Чья это карта' },
  roles: { title: 'Роли из таблицы', to: 'roles', ask: 'Какая это роль' },
  statuses: { title: 'Состояния визитов', to: undefined, ask: 'Что это значит' },
} as const
const kinds = Object.keys(words) as (keyof typeof words)[]

/** Names of the files that match no employee: one choice for all rows of all tables. */
export function UnknownNames({ move, unknown }: { move: Row<typeof Move>; unknown: readonly Unknown[] }) {
  const save = useSave(Move)
  const refresh = useRefresh()
  const choose = async (kind: Unknown['kind'], name: string, id: number | string | null | undefined) => {
    const { [name]: _, ...rest } = move.choices?.[kind] ?? {}
    const choices = { ...move.choices, [kind]: id === undefined ? rest : { ...rest, [name]: id } }
    await save.mutateAsync({ id: move.id, choices })
    await refresh()
  }
  return kinds.map((kind) => {
    const { to, ask, title } = words[kind]
    const own = unknown.filter((one) => one.kind === kind)
    if (own.length === 0) return null
    const waiting = own.filter(({ chosen }) => chosen === undefined).length
    return (
      <Block key={kind} framed component="section" className={classes.unknown} aria-label={title}>
        <h2 className={sharedClasses.title}>
          {title} <Muted>{waiting > 0 ? `ждут выбора: ${waiting}` : 'выбрано'}</Muted>
        </h2>
        <Fine>
          Выбор действует на все строки и таблицы; после него проверьте файлы заново. Без замены прошлый визит хранит
          имя словами, а запись остаётся в списке.
        </Fine>
        <ul className={classes.names}>
          {own.map(({ name, rows, chosen }) => (
            <li key={name}>
              <div className={classes.named}>
                <span>{name}</span>
                <Fine>{counted(rows, ['строка', 'строки', 'строк'])}</Fine>
              </div>
              {chosen === null ? (
                <HStack gap={4} justify="space-between">
                  <Fine>Без замены</Fine>
                  <IconButton
                    icon={IconRotate}
                    label={`Вернуть выбор: ${name}`}
                    onClick={() => void choose(kind, name, undefined)}
                  />
                </HStack>
              ) : (
                <HStack gap={4}>
                  <Block grow>
                    {to === undefined ? (
                      <Select
                        aria-label={`Замена: ${name}`}
                        placeholder={ask}
                        clearable
                        data={Object.entries(pastStatuses).map(([value, label]) => ({ value, label }))}
                        value={typeof chosen === 'string' ? chosen : null}
                        onChange={(value) => void choose(kind, name, value ?? undefined)}
                      />
                    ) : (
                      <RefSelect
                        to={to}
                        aria-label={`Замена: ${name}`}
                        placeholder={ask}
                        value={typeof chosen === 'number' ? chosen : null}
                        onChange={(id) => void choose(kind, name, id ?? undefined)}
                      />
                    )}
                  </Block>
                  <IconButton
                    icon={IconBan}
                    label={`Без замены: ${name}`}
                    onClick={() => void choose(kind, name, null)}
                  />
                </HStack>
              )}
            </li>
          ))}
        </ul>
      </Block>
    )
  })
}
