import { Anchor, Button } from '@mantine/core'
import { ageText } from '@ordinator/model/areas/customers/age'
import type { DuplicatePair, PairedCard } from '@ordinator/model/areas/customers/calls'
import { sameReasons } from '@ordinator/model/areas/customers/similar'
import { identifierText } from '@ordinator/model/identifiers'
import { pageByKey } from '@ordinator/model/pages'
import { IconArrowMerge } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { PageLink } from '#base/PageLink.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDate, today } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { MoreRows } from '#kit/LoadMore.tsx'
import { notify } from '#kit/notify.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { PhoneLink } from '#kit/PhoneLink.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, Dot, HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { FamilyTabs } from '#records/registry/FamilyTabs.tsx'
import { MergeDialog } from '../card/MergeDialog.tsx'
import classes from './Duplicates.module.css'

const page = pageByKey('duplicates')
const queryKey = ['customers', 'duplicates']

/** Возможные дубли: pairs of cards, the certain ones first; each pair is merged or marked as different. */
export default function DuplicatesPage() {
  const [merging, setMerging] = useState<{ kept: PairedCard; other: PairedCard }>()
  const cache = useQueryClient()
  const pairs = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      api('GET /customers/duplicates', { query: { after: pageParam } }, { signal, forbidden: 'silent' }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  const items = pairs.data?.pages.flatMap((one) => one.items) ?? []
  const again = () => cache.invalidateQueries({ queryKey })
  async function mark({ id, first }: DuplicatePair, different: boolean) {
    try {
      await api('POST /customers/duplicates/:id', { params: { id }, body: { different } }, { forbidden: 'toast' })
      await again()
      if (different) notify.undo(`Не дубль: ${first.fio}`, () => mark({ id, first } as DuplicatePair, false))
    } catch (error) {
      notify.error(errorMessage(error), { title: 'Не получилось' })
      await again()
    }
  }
  return (
    <>
      <PageHead title={page.title} help={page.help}>
        <FamilyTabs page={page} />
      </PageHead>
      <Block px="var(--ord-page)" pb={24} maw={1080}>
        {pairs.isError ? (
          <ErrorState error={pairs.error} onRetry={() => void pairs.refetch()} />
        ) : pairs.isPending ? (
          <LinesSkeleton lines={8} />
        ) : items.length === 0 ? (
          <EmptyState
            title="Похожих карт нет"
            text="Когда у двух карт совпадут СНИЛС, полис, ФИО с датой рождения или телефон с именем, они появятся здесь."
          />
        ) : (
          <VStack gap={12}>
            {items.map((pair) => (
              <Pair
                key={pair.id}
                pair={pair}
                onMerge={(kept, other) => setMerging({ kept, other })}
                onDifferent={() => mark(pair, true)}
              />
            ))}
            <MoreRows list={pairs} />
          </VStack>
        )}
      </Block>
      {merging && (
        <MergeDialog
          customer={merging.kept}
          other={merging.other.id}
          onClose={() => {
            setMerging(undefined)
            void again()
          }}
        />
      )}
    </>
  )
}

interface PairProps {
  pair: DuplicatePair
  onMerge: (kept: PairedCard, other: PairedCard) => void
  onDifferent: () => Promise<void>
}

function Pair({ pair, onMerge, onDifferent }: PairProps) {
  const { first, second, because, certain } = pair
  const [busy, setBusy] = useState(false)
  return (
    <Block framed component="article" aria-label={`${first.fio} и ${second.fio}`}>
      <HStack gap={8} px={16} py={10} wrap rule="bottom">
        <Dot color={`var(--mantine-color-${certain ? 'red' : 'yellow'}-6)`} />
        <span>{because.map((why) => sameReasons[why]).join(', ')}</span>
        <Block grow />
        <Button
          variant="subtle"
          size="compact-sm"
          loading={busy}
          onClick={() => {
            setBusy(true)
            void onDifferent().finally(() => setBusy(false))
          }}
        >
          Не дубль
        </Button>
      </HStack>
      <div className={classes.cards}>
        <Card card={first} other={second} onKeep={() => onMerge(first, second)} />
        <Card card={second} other={first} onKeep={() => onMerge(second, first)} />
      </div>
    </Block>
  )
}

const facts = (card: PairedCard): [label: string, value: string][] => [
  ['Родился', card.birthday ? [card.birthday, ageText(card.birthday, today())].filter(Boolean).join(', ') : '—'],
  ['Телефон', card.phone ?? '—'],
  ['СНИЛС', card.snils ? identifierText('snils', card.snils) : '—'],
  ['Карта', card.cardNumber ? `№ ${card.cardNumber}` : '—'],
  ['Заведена', formatDate(card.dateCreate)],
]

/** Data of one card; values equal to the other's are highlighted. */
function Card({ card, other, onKeep }: { card: PairedCard; other: PairedCard; onKeep: () => void }) {
  const others = new Map(facts(other))
  return (
    <VStack gap={8} p={16} miw={0}>
      <Anchor
        inherit
        fw={500}
        className="breaks"
        renderRoot={(props) => <PageLink page="customer" search={{ id: card.id }} {...props} />}
      >
        {card.fio}
      </Anchor>
      <dl className={classes.facts}>
        {facts(card).map(([label, value]) => (
          <div key={label}>
            <Fine component="dt">{label}</Fine>
            <dd className="tabular" data-same={value !== '—' && label !== 'Заведена' && others.get(label) === value}>
              {label === 'Телефон' && card.phone ? <PhoneLink phone={card.phone} bare /> : value}
            </dd>
          </div>
        ))}
      </dl>
      <ActionButton
        label="Оставить эту…"
        aria-label={`Оставить эту… карту ${card.fio}, № ${card.id}, и присоединить другую`}
        variant="default"
        size="compact-sm"
        icon={IconArrowMerge}
        onClick={onKeep}
      />
    </VStack>
  )
}
