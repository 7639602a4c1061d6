import { moveSums } from '@ordinator/model/areas/moving/tables'
import { counted, formatMoney, formatNumber } from '@ordinator/model/format'
import { Block } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import sharedClasses from '../Moving.module.css'
import type { FileRowsAnswer } from '../movingCalls.ts'
import classes from './file.module.css'

/** «долгов 1 243 000,00 ₽ у 318 пациентов»: to be compared with the former program. */
export function Sums({ sums }: { sums: FileRowsAnswer['sums'] }) {
  if (sums.length === 0) return null
  return (
    <Block framed component="section" className={classes.sums} aria-label="Суммы файла">
      <h3 className={sharedClasses.title}>Сверьте с прежней программой</h3>
      <ul>
        {sums.map(({ kind, people, file, left, unread }) => (
          <li key={kind} className="tabular">
            {`${moveSums[kind].genitive} ${kind === 'bonus' ? formatNumber(file) : formatMoney(file)} у ${counted(people, moveSums[kind].of)}`}
            {left > 0 && (
              <Fine>{` · из них ${kind === 'bonus' ? formatNumber(left) : formatMoney(left)} в строках, которые останутся`}</Fine>
            )}
            {unread > 0 && <strong>{` · не прочитано: ${counted(unread, ['строка', 'строки', 'строк'])}`}</strong>}
          </li>
        ))}
      </ul>
    </Block>
  )
}
