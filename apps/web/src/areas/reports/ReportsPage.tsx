import { questions, searchOf } from '@ordinator/model/areas/reports/questions'
import { pageByKey, pageRefusal } from '@ordinator/model/pages'
import { type Report, reportGroups, shownMeasures } from '@ordinator/model/report'
import { IconMail } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useAddress, useGo } from '#base/address.ts'
import { text } from '#base/addressValues.ts'
import { PageLink } from '#base/PageLink.tsx'
import type { Search } from '#base/redirect.ts'
import { reports } from '#base/reports.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { today } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { SearchField } from '#kit/SearchField.tsx'
import { HStack, Tiles } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import classes from './Reports.module.css'
import { ReportView } from './ReportView.tsx'

const page = pageByKey('reports')
const read = (search: Search) => ({ tab: text(search.tab) })

/** The catalogue of reports; `?tab=payments` shows one of them. */
export default function ReportsPage() {
  const actor = useActor()
  const [{ tab }] = useAddress(read)
  const open = reports.filter((one) => !pageRefusal(pageByKey(one.page), actor))
  const shown = open.find(({ key }) => key === tab)
  if (shown) return <ReportView key={shown.key} report={shown} inCatalogue />
  return <Catalogue reports={open} missing={tab !== undefined} />
}

function Catalogue({ reports: open, missing }: { reports: readonly Report[]; missing: boolean }) {
  const [typed, setTyped] = useState('')
  const go = useGo()
  const field = useRef<HTMLInputElement>(null)
  // The keyboard of a phone would cover the list.
  useEffect(() => {
    if (matchMedia('(hover: hover)').matches) field.current?.focus()
  }, [])
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const found = open.filter((one) => {
    const measures = shownMeasures(one).map(([, { label }]) => label)
    const text = [one.title, one.help, one.hint, ...measures].join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const asking = questions.filter(({ page: answered, ...question }) => {
    const text = `${question.text} ${'names' in question ? question.names : ''}`.toLowerCase()
    return open.some((one) => one.page === answered) && words.every((word) => text.includes(word))
  })
  return (
    <>
      <PageHead
        title={page.title}
        help={page.help}
        actions={
          <ActionButton
            label="Рассылки"
            icon={IconMail}
            variant="default"
            renderRoot={(props: object) => <PageLink {...props} page="reportMailings" />}
          />
        }
      >
        <SearchField
          aria-label="Найти отчёт или показатель"
          placeholder="Отчёт или показатель: долг, средний чек"
          value={typed}
          onChange={setTyped}
          ref={field}
          onKeyUp={(event) => {
            const [first] = found
            if (event.key === 'Enter' && first && words.length > 0)
              void go({ page: 'reports', search: { tab: first.key } })
          }}
          w={340}
        />
      </PageHead>
      <div className={classes.catalogue}>
        {missing && (
          <p className={classes.note} role="status">
            Такого отчёта нет, или он закрыт вашими правами. Вот те, что открыты.
          </p>
        )}
        {asking.length > 0 && (
          <section aria-label="Вопросы">
            <h2 className={classes.group}>Вопросы</h2>
            <HStack gap={8} wrap>
              {asking.map((question) => (
                <PageLink
                  key={question.text}
                  page={question.page}
                  search={searchOf(question, today())}
                  className={classes.question}
                >
                  {question.text}
                </PageLink>
              ))}
            </HStack>
          </section>
        )}
        {found.length === 0 && asking.length === 0 && (
          <EmptyState
            title={open.length ? 'Ничего не нашлось' : 'Отчётов вам не открыто'}
            text={
              open.length ? 'Попробуйте другие слова: ищем и среди показателей.' : 'Права на отчёты даёт администратор.'
            }
          />
        )}
        {Object.entries(reportGroups).map(([group, label]) => {
          const own = found.filter((one) => one.group === group)
          return (
            own.length > 0 && (
              <section key={group} aria-label={label}>
                <h2 className={classes.group}>{label}</h2>
                <Tiles tile={280} gap={12}>
                  {own.map(({ key, title, help }) => (
                    <PageLink key={key} search={{ tab: key }} className={classes.card}>
                      <strong>{title}</strong>
                      <Fine>{help}</Fine>
                    </PageLink>
                  ))}
                </Tiles>
              </section>
            )
          )
        })}
      </div>
    </>
  )
}
