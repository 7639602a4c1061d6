import { z } from 'zod'
import { messages } from '../../../messages.ts'
import { phoneFromExchange, phonesIn } from '../../../phone.ts'
import { child, hue, line, picture, setting, webAddress } from '../setting.ts'

const shortLine = (label: string, more: { help?: string; words?: string } = {}) =>
  setting({ label, ...more, check: line(255), byDefault: '' })

/** «О компании»: name and management of the clinic, for papers, e-mails and the site. */
export const companySettings = child({
  page: 'company',
  beside: ['organizations', 'filials', 'printTemplates', 'clientTheme'],
  groups: {
    Бренд: {
      companyBrand: shortLine('Торговое название', {
        help: 'Как клинику знают пациенты',
        words: 'бренд вывеска марка',
      }),
      companyLogo: setting({
        label: 'Логотип',
        help: 'В меню, на входе и в документах: переменная «Логотип». PNG, JPEG или WebP, до 500 кБ',
        words: 'картинка знак эмблема бренд шапка',
        check: picture(),
        byDefault: '',
        public: true,
        input: { kind: 'picture' },
      }),
      companyColor: setting({
        label: 'Цвет клиники',
        help: 'Знак в меню и на входе, пока нет логотипа; заголовки документов. Цвета сайта — в его оформлении',
        words: 'бренд фирменный палитра',
        check: hue(),
        byDefault: '',
        public: true,
        input: { kind: 'color' },
      }),
      companySlogan: shortLine('Девиз', { help: 'Строка под названием', words: 'слоган' }),
    },
    Контакты: {
      companyPhone: setting({
        label: 'Телефон для пациентов',
        words: 'контакты колл-центр',
        // Phones with any remarks: «8 (846) 200-00-00, доб. 5», «23-45-67».
        check: line(255).refine(
          (v) => v === '' || phonesIn(v).phones.length > 0 || phoneFromExchange(v) !== undefined,
          messages.phone,
        ),
        byDefault: '',
      }),
      companyEmail: setting({
        label: 'Почта для пациентов',
        words: 'контакты email письмо',
        check: line(255).refine((v) => v === '' || z.email().safeParse(v).success, messages.email),
        byDefault: '',
      }),
      companySite: setting({
        label: 'Сайт',
        words: 'адрес домен интернет',
        check: webAddress(),
        byDefault: '',
      }),
      companySchedule: shortLine('Режим работы', {
        help: 'Строкой: «пн–пт 8:00–21:00, сб 9:00–18:00». Часы каждого филиала — в его карточке',
        words: 'часы работы расписание график',
      }),
    },
    Реквизиты: {
      mainOrganization: setting<number | null>({
        label: 'Своя организация',
        help: 'Чьи реквизиты стоят в документах. Пусто — первая из своих',
        words: 'юридическое лицо инн кпп огрн банк счёт ооо',
        check: z.int(messages.integer).positive(messages.reference).nullable(),
        byDefault: null,
        input: { kind: 'record', to: 'organizations', filter: { kind: 'own' } },
      }),
    },
    Лицензия: {
      licenceActivities: setting({
        label: 'Виды деятельности',
        help: 'Работы и услуги по лицензии. Номер, дата и кем выдана — в карточке своей организации',
        words: 'лицензия медицинская работы услуги',
        check: line(4000),
        byDefault: '',
        input: { kind: 'text' },
        wide: true,
      }),
      licenceAddresses: setting({
        label: 'Адреса по лицензии',
        words: 'лицензия места осуществления',
        check: line(2000),
        byDefault: '',
        input: { kind: 'text' },
        wide: true,
      }),
    },
    Руководство: {
      directorPost: shortLine('Должность руководителя', { words: 'директор подпись' }),
      directorName: shortLine('Руководитель', {
        help: 'Фамилия, имя и отчество',
        words: 'директор подпись',
      }),
      directorBasis: shortLine('Действует на основании', {
        help: 'В родительном падеже: «Устава»',
        words: 'устав доверенность директор',
      }),
      chiefDoctor: shortLine('Главный врач'),
      chiefAccountant: shortLine('Главный бухгалтер'),
    },
  },
})
