import { Select } from '@mantine/core'
import { pageByKey } from '@ordinator/model/pages'
import { plusDays } from '@ordinator/model/zone'
import { IconCalendarPlus, IconLayoutColumns, IconPrinter } from '@tabler/icons-react'
import { NoFilial } from '#areas/filials/index.ts'
import { useAddress, useGo } from '#base/address.ts'
import { day as dayValue, id, mark, word } from '#base/addressValues.ts'
import { PageLink } from '#base/PageLink.tsx'
import type { Search } from '#base/redirect.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { useHotkey } from '#kit/hotkeys.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { TableSkeleton } from '#kit/Skeletons.tsx'
import { BookingHost } from '../booking/BookingHost.tsx'
import { dayWords, useWallNow } from '../day.ts'
import { NoShifts } from '../NoShifts.tsx'
import { PlaceBar } from '../PlaceBar.tsx'
import { useScheduleRights } from '../rights.ts'
import { useDay } from '../useDay.ts'
import { useFilial } from '../useFilial.ts'
import { VisitPanel } from '../visit/VisitPanel.tsx'
import { sheetFilters } from './lines.ts'
import { GROUP, Lines } from './SheetLines.tsx'

const page = pageByKey('daySheet')

const read = (search: Search) => ({
  filial: id(search.filial),
  day: dayValue(search.day),
  doctor: id(search.doctor),
  show: word(sheetFilters, search.show),
  visit: id(search.visit),
  book: mark(search.book),
})

/**
 * Лист дня: patients of a branch's day, waiting and late ones, with hotkeys for the front desk. A doctor sees the own
 * day.
 */
export default function DaySheetPage() {
  const [address, setAddress] = useAddress(read)
  const rights = useScheduleRights()
  const { list, isPending, filials, filial, timeZone } = useFilial(address.filial)
  const clock = useWallNow(timeZone)
  const day = address.day ?? clock.today
  const answer = useDay(filial && { idFilial: filial.id, date: day, cancelled: true })
  const go = useGo()
  const book = () => setAddress({ book: true })
  useHotkey('n', book, { label: 'Записать пациента', group: GROUP, enabled: rights.book })
  return (
    <>
      <PageHead
        tight
        title={page.title}
        help={dayWords(day)}
        actions={
          <>
            <ActionButton
              label="Расписание"
              variant="default"
              visibleFrom="sm"
              icon={IconLayoutColumns}
              renderRoot={(props) => (
                <PageLink {...props} page="calendar" search={{ filial: filial?.id, day: address.day }} />
              )}
            />
            <ActionButton
              label="Печать"
              variant="default"
              visibleFrom="sm"
              icon={IconPrinter}
              onClick={() => window.print()}
            />
            <IconButton
              icon={IconLayoutColumns}
              label="Расписание филиала"
              variant="default"
              size={36}
              hiddenFrom="sm"
              renderRoot={(props) => (
                <PageLink {...props} page="calendar" search={{ filial: filial?.id, day: address.day }} />
              )}
            />
            {rights.book && <ActionButton label="Записать" icon={IconCalendarPlus} disabled={!filial} onClick={book} />}
          </>
        }
      >
        <PlaceBar
          filials={filials}
          idFilial={filial?.id}
          onFilial={(next) => setAddress({ filial: next, doctor: undefined })}
          day={day}
          today={clock.today}
          onDay={(next) => setAddress({ day: next })}
          turned={(way) => plusDays(day, way)}
          group={GROUP}
          beside={
            answer.data &&
            answer.data.doctors.length > 1 && (
              <Select
                aria-label="Врач"
                placeholder="Все врачи"
                clearable
                searchable
                w={220}
                flex="1 1 140px"
                maw={220}
                data={answer.data.doctors.map((doctor) => ({ value: String(doctor.idUser), label: doctor.shortFio }))}
                value={address.doctor === undefined ? null : String(address.doctor)}
                onChange={(value) => setAddress({ doctor: value ? Number(value) : undefined })}
              />
            )
          }
        />
      </PageHead>
      {answer.isError && !answer.data ? (
        <ErrorState
          title="Лист дня не загрузился"
          error={answer.error}
          onRetry={() => void answer.refetch()}
          retrying={answer.isFetching}
        />
      ) : list.isSuccess && !isPending && !filial ? (
        <NoFilial
          others={(list.data?.items.length ?? 0) > 0}
          action={<ActionButton label="К листу дня" onClick={() => setAddress({ filial: list.data?.items[0]?.id })} />}
        />
      ) : !answer.data ? (
        <TableSkeleton rows={8} columns={6} />
      ) : answer.data.doctors.length === 0 && filial ? (
        <NoShifts
          idFilial={filial.id}
          after={day}
          when="В этот день"
          onDay={(next, idFilial) => setAddress({ day: next, filial: idFilial })}
          onMake={() => go({ page: 'calendar', search: { filial: filial.id, day, view: 'shifts' } })}
        />
      ) : (
        <Lines
          data={answer.data}
          day={day}
          clock={clock}
          doctor={address.doctor}
          show={address.show ?? 'all'}
          onShow={(next) => setAddress({ show: next === 'all' ? undefined : next })}
          onOpen={(visit) => setAddress({ visit })}
        />
      )}
      {filial && address.book && (
        <BookingHost
          filial={filial}
          start={{ day }}
          onClose={() => setAddress({ book: undefined }, { replace: true })}
        />
      )}
      {address.visit !== undefined && (
        <VisitPanel id={address.visit} onClose={() => setAddress({ visit: undefined })} />
      )}
    </>
  )
}
