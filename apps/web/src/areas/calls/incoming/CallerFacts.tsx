import { Anchor, Badge } from '@mantine/core'
import type { Caller } from '@ordinator/model/areas/calls/calls'
import { ageText } from '@ordinator/model/areas/customers/age'
import { formatMoney, formatWall } from '@ordinator/model/format'
import { IconAlertTriangle } from '@tabler/icons-react'
import { PageLink } from '#base/PageLink.tsx'
import { formatDateTime, today } from '#kit/clock.ts'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import classes from './Incoming.module.css'

/** Caller facts to know before answering. */
export function CallerFacts({ caller }: { caller: Caller }) {
  const { id, fio, birthday, allergies, debt, nextVisit, deals, lastWords } = caller
  const age = ageText(birthday, today())
  return (
    <VStack gap={8}>
      <div>
        <Anchor inherit fw={600} renderRoot={(props) => <PageLink {...props} page="customer" search={{ id }} />}>
          {fio}
        </Anchor>
        {birthday && <Fine component="div">{age ? `${birthday}, ${age}` : birthday}</Fine>}
      </div>
      {allergies && (
        <HStack gap={6} align="start" className={classes.allergies}>
          <IconAlertTriangle size={16} aria-hidden />
          <span>Аллергии: {allergies}</span>
        </HStack>
      )}
      <dl className={classes.facts}>
        {debt !== null && (
          <>
            <dt>Долг</dt>
            <dd>
              {debt > 0 ? (
                <Badge color="red" variant="light" className="tabular">
                  {formatMoney(debt)}
                </Badge>
              ) : (
                'нет'
              )}
            </dd>
          </>
        )}
        <dt>Следующий визит</dt>
        <dd>
          {nextVisit ? (
            <Anchor
              inherit
              renderRoot={(props) => (
                <PageLink
                  {...props}
                  page="calendar"
                  search={{ filial: nextVisit.idFilial, day: nextVisit.localDate, visit: nextVisit.id }}
                />
              )}
            >
              {formatWall(nextVisit)} {nextVisit.services}
            </Anchor>
          ) : (
            'не назначен'
          )}
        </dd>
        {deals.length > 0 && (
          <>
            <dt>Сделки</dt>
            <dd>
              {deals.map((deal) => (
                <div key={deal.id}>
                  <Anchor
                    inherit
                    renderRoot={(props) => (
                      <PageLink {...props} page="deals" search={{ funnel: deal.idFunnel, lead: deal.id }} />
                    )}
                  >
                    {deal.title}
                  </Anchor>
                </div>
              ))}
            </dd>
          </>
        )}
        {lastWords && (
          <>
            <dt>Последнее</dt>
            <dd>
              {lastWords.text} <Fine>{formatDateTime(lastWords.at)}</Fine>
            </dd>
          </>
        )}
      </dl>
    </VStack>
  )
}
