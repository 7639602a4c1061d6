import { LabTest } from '@ordinator/model/areas/laboratory/catalogue'
import { sections } from '@ordinator/model/areas/laboratory/words'
import { formatMoney } from '@ordinator/model/format'
import { useEffect, useMemo, useState } from 'react'
import { WayTo } from '#base/WayTo.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { SearchField } from '#kit/SearchField.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { asRows, useList } from '#records/reads.ts'
import sharedClasses from '../Laboratory.module.css'
import type { Chosen, Test } from './chosen.ts'
import classes from './newOrder.module.css'

const MAX_FOUND = 60

const SEARCH_MS = 200

export function Catalogue({ chosen, onToggle }: { chosen: readonly number[]; onToggle: (test: Chosen) => void }) {
  const [typed, setTyped] = useState('')
  const [text, setText] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setText(typed.trim()), SEARCH_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const list = useList(LabTest, {
    filter: text ? { active: true } : { active: true, isPanel: true },
    ...(text && { q: text }),
    fields: ['name', 'code', 'section', 'isPanel', 'price', 'termDays'],
    expand: ['laboratory'],
    ...(!text && { sort: 'name' as const }),
    limit: MAX_FOUND,
  })
  const items = asRows<Test>(list.data?.items)
  const picked = useMemo(() => new Set(chosen), [chosen])
  const single = items.filter(({ isPanel }) => !isPanel)
  const panels = items.filter(({ isPanel }) => isPanel)
  const first = items[0]
  return (
    <section className={sharedClasses.panel} aria-label="Исследования">
      <VStack gap={12}>
        <SearchField
          aria-label="Поиск исследования"
          placeholder="Название, код, 804н"
          value={typed}
          onChange={setTyped}
          onKeyUp={(event) => {
            if (event.key !== 'Enter' || !first || !text) return
            onToggle({ id: first.id, name: first.name })
            setTyped('')
          }}
        />
        {list.isPending ? (
          <LinesSkeleton lines={6} />
        ) : list.isError ? (
          <ErrorState error={list.error} onRetry={() => void list.refetch()} />
        ) : items.length === 0 ? (
          <NoTests searched={text !== ''} />
        ) : (
          <>
            {panels.length > 0 && <Choices title="Панели" tests={panels} picked={picked} onToggle={onToggle} />}
            {[...Map.groupBy(single, ({ section }) => section)].map(([section, tests]) => (
              <Choices key={section} title={sections[section]} tests={tests} picked={picked} onToggle={onToggle} />
            ))}
          </>
        )}
      </VStack>
    </section>
  )
}

function Choices({
  title,
  tests,
  picked,
  onToggle,
}: {
  title: string
  tests: readonly Test[]
  picked: ReadonlySet<number>
  onToggle: (test: Chosen) => void
}) {
  return (
    <VStack gap={6}>
      <Fine>{title}</Fine>
      <div className={classes.panels}>
        {tests.map(({ id: idTest, name, price, laboratory }) => (
          <button
            key={idTest}
            type="button"
            className={classes.choice}
            aria-pressed={picked.has(idTest)}
            onClick={() => onToggle({ id: idTest, name })}
          >
            <span>
              {name}
              {laboratory?.kind === 'partner' && <Fine component="div">{laboratory.name}</Fine>}
            </span>
            <span>{price === null ? '' : formatMoney(price)}</span>
          </button>
        ))}
      </div>
    </VStack>
  )
}

/** Nothing to choose from; an empty catalogue leads to its page. */
function NoTests({ searched }: { searched: boolean }) {
  const any = useList(LabTest, { filter: { active: true }, fields: ['name'], limit: 1 })
  if (any.data?.items.length === 0)
    return (
      <EmptyState
        title="Каталог исследований пуст"
        text="Заказывать пока нечего: добавьте исследования или загрузите их из файла."
        action={<WayTo page="labCatalog" label="К каталогу" />}
      />
    )
  return (
    <Muted>
      {searched
        ? 'Ничего не найдено: попробуйте часть названия или код.'
        : 'Панелей нет: найдите исследование по названию.'}
    </Muted>
  )
}
