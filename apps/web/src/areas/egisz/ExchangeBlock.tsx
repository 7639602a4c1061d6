import { plusDays } from '@ordinator/model/zone'
import { IconCertificate } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { CountingRun, countingEvery } from '#areas/reports/index.ts'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import { CountsCard } from '#kit/CountsCard.tsx'
import { today } from '#kit/clock.ts'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { Fine } from '#kit/Words.tsx'
import { retries } from '#records/reads.ts'

const DAYS = 30

/** Dashboard block: documents waiting for a signature, and rejected ones. */
export default function ExchangeBlock() {
  const to = today()
  const from = plusDays(to, 1 - DAYS)
  const answer = useQuery({
    queryKey: ['egisz', 'figures', from, to],
    queryFn: ({ signal }) => api('GET /egisz/figures', { query: { from, to } }, { signal, quiet: true }),
    retry: retries,
    refetchInterval: countingEvery,
    placeholderData: (before) => before,
    meta: { live: ['egisz/semds'], everyMs: 30_000, known: true },
  })
  useRevealDelay(answer.isLoading)
  const { data } = answer
  if (data?.run !== undefined) return <CountingRun id={data.run} />
  return (
    <CountsCard
      title="ЕГИСЗ за 30 дней"
      icon={<IconCertificate size={18} />}
      answer={answer}
      none="Всё подписано и зарегистрировано, отказов нет."
      tiles={[
        {
          count: data?.toSend,
          label: 'Ждут подписи и отправки',
          to: (face) => <PageLink page="semds" search={{ status: 'validated' }} {...face} />,
        },
        {
          count: data?.rejected,
          label: 'Отказы РЭМД',
          late: true,
          to: (face) => <PageLink page="semds" search={{ status: 'rejected' }} {...face} />,
        },
        {
          count: data?.late,
          label: 'Без ответа больше суток',
          late: true,
          to: (face) => <PageLink page="semds" search={{ status: 'accepted' }} {...face} />,
        },
      ]}
    >
      {data && (
        <Fine component="p" mt={8}>
          Зарегистрировано {data.registered}
          {data.coverage !== null && `, охват подписанных осмотров ${data.coverage.toLocaleString('ru')} %`}
        </Fine>
      )}
    </CountsCard>
  )
}
