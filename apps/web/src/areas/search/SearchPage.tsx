import { Anchor, Chip, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { User } from '@ordinator/model/areas/staff/user'
import { formatNumber } from '@ordinator/model/format'
import { otherLayouts } from '@ordinator/model/keyboardLayout'
import { pageByKey } from '@ordinator/model/pages'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAddress } from '#base/address.ts'
import { day, id, text } from '#base/addressValues.ts'
import { type Answer, api } from '#base/api.ts'
import type { Search } from '#base/redirect.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { DateField } from '#kit/DateField.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { PhoneLink } from '#kit/PhoneLink.tsx'
import { SearchField } from '#kit/SearchField.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'

/** Minimum characters of a query, as on the server. */
const SEARCH_FROM = 2
const TYPING_MS = 300
const page = pageByKey('search')

const read = (search: Search) => ({
  q: text(search.q),
  kind: text(search.kind),
  from: day(search.from),
  to: day(search.to),
  person: id(search.person),
})
type Asked = ReturnType<typeof read>
type Groups = Answer<'GET /search'>['groups']

/** Поиск: all records visible to the user, by words, phone, date or number, with filters by kind, date and person. */
export default function SearchPage() {
  const [address, setAddress] = useAddress(read)
  const [typed, setTyped] = useState(address.q ?? '')
  const [asked] = useDebouncedValue(typed.trim(), TYPING_MS)
  const { kind, from, to, person } = address
  const isAsked = asked.length >= SEARCH_FROM
  const found = useQuery({
    queryKey: ['search', asked, kind, from, to, person],
    queryFn: ({ signal }) => look(asked, { q: asked, kind, from, to, person }, signal),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    meta: { reportsFailure: true },
  })
  const groups = isAsked ? (found.data?.groups ?? []) : []
  return (
    <>
      <PageHead title={page.title} help={page.help} />
      <VStack gap={12} px="var(--ord-page)" pb="var(--ord-page)">
        <SearchField
          aria-label="Что найти"
          size="md"
          data-autofocus
          autoFocus
          placeholder="Слова, телефон, день или #номер"
          value={typed}
          onChange={(next) => {
            setTyped(next)
            setAddress({ q: next.trim() || undefined }, { replace: true })
          }}
        />
        <HStack wrap align="end" gap={12}>
          <DateField label="День с" w={160} value={from ?? null} onChange={(next) => setAddress({ from: day(next) })} />
          <DateField label="по" w={160} value={to ?? null} onChange={(next) => setAddress({ to: day(next) })} />
          <RefSelect
            to={User.path}
            label="Сотрудник"
            placeholder="Любой"
            value={person ?? null}
            onChange={(next) => setAddress({ person: next ?? undefined })}
          />
        </HStack>
        {(groups.length > 0 || kind) && (
          <Kinds groups={groups} kind={kind} onChange={(next) => setAddress({ kind: next })} />
        )}
        {found.data?.meant && isAsked && (
          <Muted component="p" role="status">
            Показано по запросу «{found.data.meant}»: похоже, была другая раскладка.
          </Muted>
        )}
        {!isAsked ? (
          <EmptyState
            icon={IconSearch}
            title="Что найти?"
            text="Введите хотя бы две буквы: имя, телефон, название, дату или #номер. Быстрый поиск из любого места — Ctrl+K."
          />
        ) : found.isPending ? (
          <LinesSkeleton lines={8} />
        ) : found.isError ? (
          <ErrorState error={found.error} onRetry={() => void found.refetch()} />
        ) : groups.length === 0 ? (
          <EmptyState
            icon={IconSearch}
            title="Ничего не найдено"
            text={
              kind || from || to || person
                ? 'Снимите часть условий или измените слова.'
                : 'Проверьте слова или введите часть имени.'
            }
          />
        ) : (
          groups.map((group) => (
            <Group key={group.path} group={group} onAll={kind ? undefined : () => setAddress({ kind: group.path })} />
          ))
        )}
      </VStack>
    </>
  )
}

/** Searches; without results, repeats with the other keyboard layout. */
async function look(typed: string, { q: _q, ...asked }: Asked, signal: AbortSignal) {
  const of = (q: string) => api('GET /search', { query: { ...asked, q } }, { signal, forbidden: 'silent' })
  const first = await of(typed)
  if (first.groups.length > 0) return { groups: first.groups, meant: undefined }
  for (const other of otherLayouts(typed)) {
    if (other === typed.toLowerCase() || other.trim().length < SEARCH_FROM) continue
    const { groups } = await of(other)
    if (groups.length > 0) return { groups, meant: other }
  }
  return { groups: [] as Groups, meant: undefined }
}

interface KindsProps {
  groups: Groups
  kind: string | undefined
  onChange: (kind: string | undefined) => void
}

/** Kinds of results; selecting one shows more. */
const Kinds = ({ groups, kind, onChange }: KindsProps) => (
  <Chip.Group value={kind ?? ''} onChange={(next) => onChange(String(next) || undefined)}>
    <HStack wrap gap={8} role="group" aria-label="Вид записей">
      <Chip value="" size="sm">
        Все виды
      </Chip>
      {groups.map(({ path, name, items, hasMore }) => (
        <Chip key={path} value={path} size="sm">
          {name}: {formatNumber(items.length)}
          {hasMore && '+'}
        </Chip>
      ))}
    </HStack>
  </Chip.Group>
)

function Group({ group: { name, items, hasMore }, onAll }: { group: Groups[number]; onAll: (() => void) | undefined }) {
  return (
    <Block framed component="section" aria-label={name} p={12}>
      <HStack justify="space-between" mb={8}>
        <Text component="h2" inherit fw={600}>
          {name}
        </Text>
        {hasMore &&
          (onAll ? (
            <ActionButton label={`Показать больше: ${name}`} variant="subtle" size="compact-sm" onClick={onAll} />
          ) : (
            <Fine>первые {items.length}: уточните слова</Fine>
          ))}
      </HStack>
      <VStack gap={8}>
        {items.map(({ id: number, title, hint, link }) => (
          <div key={number}>
            <Anchor display="inline-block" mih={24} renderRoot={(props) => <Link to={link} {...props} />}>
              {title}
            </Anchor>
            {hint && (
              <Fine component="div">
                <WithPhones words={hint} />
              </Fine>
            )}
          </div>
        ))}
      </VStack>
    </Block>
  )
}

/** Text with callable phones. */
const WithPhones = ({ words }: { words: string }) =>
  words.split(/(\+\d{10,15}\b)/).map((part, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text do not move
    at % 2 === 1 ? <PhoneLink key={at} phone={part} bare /> : part,
  )
