import { among, child, line, lines, secret, setting, webAddress, whole } from '../setting.ts'
import { serviceModes } from './exchange.ts'

const days = (label: string, byDefault: number, help: string) =>
  setting({ label, help, words: 'эльн больничный срок дней вк', check: whole(1, 400), byDefault })
const months = (label: string, byDefault: number, help: string) =>
  setting({ label, help, words: 'эльн больничный мсэ срок месяцев', check: whole(1, 36), byDefault })
/** PEM, also in one line as a field without line breaks keeps it, or its bare base64. */
const CERTIFICATE = /^(-----BEGIN CERTIFICATE-----)?[A-Za-z\d+/=\s]+(-----END CERTIFICATE-----)?$/
const hasKey = (text: string) =>
  ['PRIVATE KEY', 'CERTIFICATE'].every((kind) => text.includes(`-----BEGIN ${kind}-----`))
const GROUP = /^[A-Z]\d\d(\s*[-–]\s*[A-Z]\d\d)?$/

/** «Больничные листы»: exchange with the Social Fund, and terms of the current order. */
export const elnSettings = child({
  page: 'elnSettings',
  beside: ['sickLeaves', 'elnNumbers', 'dictionaries', 'organizations', 'users'],
  groups: {
    'Обмен с СФР': {
      elnMode: setting<keyof typeof serviceModes>({
        label: 'Режим обмена с СФР',
        words: 'контур тестовый промышленный фсс эльн больничный',
        check: among(serviceModes),
        byDefault: 'off',
        input: { kind: 'choice', labels: serviceModes },
      }),
      elnAddress: setting({
        label: 'Адрес сервиса СФР',
        help: 'Пусто — как задано на сервере (ELN_URL). Адреса внутренней сети задают только там. Обмен опробован с имитатором по открытым описаниям сервиса, подписи частей листа (WS-Security, XMLDSig по ГОСТ 2012) проверены второй программой; шифрование — тоже; на тестовом стенде СФР ничего из этого не опробовано: до первого листа проверьте обмен там',
        words: 'фсс эльн url FileOperationsLn',
        check: webAddress(),
        calledBy: 'ELN_URL',
        byDefault: '',
        wide: true,
      }),
      elnLogin: setting({ label: 'Имя в сервисе СФР', words: 'фсс эльн логин', check: line(128), byDefault: '' }),
      elnPassword: secret({ label: 'Пароль сервиса СФР', words: 'фсс эльн ключ секрет', goesTo: 'elnAddress' }),
      elnKey: secret(
        {
          label: 'Ключ и сертификат клиники для СФР',
          help: 'Закрытый ключ организации (ГОСТ Р 34.10-2012, 256 бит) и её сертификат, оба в PEM, одним текстом. Ими сервер подписывает запросы без листа (номера, состояние, прекращение) и читает зашифрованные ответы; части листа по-прежнему подписывают сотрудники. Без ключа эти запросы уходят без подписи',
          words: 'фсс эльн подпись организации pem шифрование закрытый ключ',
        },
        line(16_000).refine(
          (text) => text === '' || hasKey(text),
          'Нужны закрытый ключ и сертификат в PEM, одним текстом',
        ),
      ),
      elnFundCertificate: setting({
        label: 'Сертификат СФР для шифрования',
        help: 'В PEM или base64. Пусто — сообщения не шифруются; задан — шифруется каждое (ГОСТ 28147-89), и нужен ключ клиники',
        words: 'фсс эльн шифрование pem сертификат фонда',
        check: line(16_000).refine(
          (text) => text === '' || CERTIFICATE.test(text),
          'Вставьте текст сертификата: PEM или base64',
        ),
        byDefault: '',
        wide: true,
      }),
      elnPool: setting({
        label: 'Предупреждать, когда номеров меньше',
        words: 'эльн номера запас пул',
        check: whole(0, 1000),
        byDefault: 10,
      }),
    },
    Сроки: {
      elnDoctorDays: days('Врач один, дней', 15, 'Дальше подписывает и председатель врачебной комиссии'),
      elnFeldsherDays: days('Фельдшер и зубной врач один, дней', 10, 'По должности сотрудника'),
      elnFeldsherPosts: setting<string[]>({
        label: 'Чьи должности считать такими',
        help: 'По одной в строке; должность сотрудника содержит эти слова',
        words: 'эльн фельдшер зубной врач должность',
        check: lines(20, 100),
        byDefault: ['фельдшер', 'зубной врач'],
        input: { kind: 'lines' },
      }),
      elnChairmanDays: days('ВК продлевает за раз, дней', 15, 'Больше — предупреждение'),
      elnMseMonths: months('На МСЭ через, месяцев', 10, 'С первого дня болезни'),
      elnMseLongMonths: months('После травмы и при туберкулёзе, месяцев', 12, 'И после реконструктивных операций'),
    },
    Диагнозы: {
      elnHiddenDiagnoses: setting<string[]>({
        label: 'Какие диагнозы не сообщать СФР',
        help: 'По строке: A15-A19. Вместо кода уйдёт 000; в листе клиники диагноз остаётся',
        words: 'эльн скрыть маска диагноз онкология психиатрия вич туберкулёз',
        check: lines(50, 12).refine(
          (all) => all.every((one) => GROUP.test(one)),
          'Группа диагнозов — код или два через дефис: A15-A19',
        ),
        byDefault: ['A15-A19', 'A50-A64', 'B20-B24', 'C00-D09', 'F00-F99'],
        input: { kind: 'lines' },
        wide: true,
      }),
    },
  },
})
