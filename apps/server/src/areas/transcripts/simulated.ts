/** Speech recognition simulator: a phrase for each stretch of sound, chosen by the length of the recording. */
import { samplesOf, speechIn } from './sound.ts'

/** A word with its start and end, in seconds of the piece. */
export interface TranscribedWord {
  word: string
  from: number
  to: number
}

/** Conversations by turns: the clinic's, then the patient's. */
const talks: readonly (readonly [operator: string, customer: string])[][] = [
  [
    ['Клиника Волжский доктор, Марина, здравствуйте.', 'Здравствуйте, хочу записаться к терапевту на эту неделю.'],
    ['Подскажите, пожалуйста, как к вам обращаться?', 'Меня зовут Анна Сергеевна, телефон этот же.'],
    ['Что вас беспокоит?', 'Третий день температура и болит горло.'],
    ['Могу предложить завтра в десять тридцать, врач Петрова.', 'А после обеда есть время?'],
    ['Есть в шестнадцать часов. Записываю вас?', 'Да, запишите, пожалуйста. Сколько стоит приём?'],
    ['Первичный приём две тысячи четыреста рублей.', 'Хорошо, спасибо, буду.'],
    ['Ждём вас завтра в шестнадцать. До свидания.', 'До свидания.'],
  ],
  [
    ['Добрый день, клиника, слушаю вас.', 'Добрый день, сколько стоит УЗИ брюшной полости?'],
    ['УЗИ брюшной полости тысяча восемьсот рублей.', 'Дороговато. А подготовка нужна?'],
    ['Да, натощак, за три дня без газообразующих продуктов.', 'Мне нужно посоветоваться с мужем.'],
    ['Давайте я перезвоню вам завтра после двенадцати?', 'Хорошо, перезвоните завтра.'],
    ['Договорились, хорошего дня.', 'И вам.'],
  ],
  [
    ['Здравствуйте, клиника, администратор Ольга.', 'Здравствуйте, мне не пришли результаты анализов.'],
    ['Назовите, пожалуйста, дату рождения.', 'Двенадцатое марта восемьдесят пятого года.'],
    ['Вижу вас. Биохимия будет готова завтра.', 'Мне обещали сегодня, это уже второй раз.'],
    ['Извините, я уточню у лаборатории и перезвоню до шести.', 'Буду ждать звонка.'],
    ['Спасибо за терпение, до связи.', 'До свидания.'],
  ],
]

/** @param hint the speaker, as passed by `transcribe` @returns words with their times, in seconds of the recording */
export function simulatedTranscription(wave: Buffer, hint: string): TranscribedWord[] {
  const { samples, rate } = samplesOf(wave)
  const talk = talks[Math.round(samples.length / rate) % talks.length] as (typeof talks)[number]
  return speechIn(samples, rate).flatMap(({ from, to }, at) => {
    const phrase = hint.startsWith('Говорит администратор')
      ? talk[at % talk.length]?.[0]
      : hint.startsWith('Говорит пациент')
        ? talk[at % talk.length]?.[1]
        : talk[Math.floor(at / 2) % talk.length]?.[at % 2]
    const words = (phrase ?? '').split(' ')
    const step = (to - from) / words.length
    return words.map((word, place) => ({ word, from: from + step * place, to: from + step * (place + 1) }))
  })
}
