/**
 * The catalogue of the demo laboratory. A line is an analyte and its test:
 * code | name | unit | decimals | norms | price | cost | order 804н | ФСЛИ | LOINC
 * Norms: `low..high` or `..high` or `low..`, prefixed by `m`/`f` (sex) or `<18` (years), followed by `!low..high` for
 * critical bounds; separated by commas. They are invented and name no source, so screens present them as the
 * laboratory's own. Codes of ФСЛИ and LOINC are those of ФСЛИ 3.50; codes of the order 804н are those that ФСЛИ names
 * or the clinic's own services have; a code that is not certain is left out.
 */
import type { Biomaterial, Section } from '@ordinator/model/areas/laboratory/words'

/** Full blood count: analytes of one test; codes are LOINC of the Mindray BC. */
export const bloodCount = `
WBC|Лейкоциты|10^9/л|2|<1 6..17.5, <6 5..15.5, <14 4.5..13.5, 4..9 !1.5..30|||A12.05.119|1017979|6690-2
RBC|Эритроциты|10^12/л|2|<14 3.8..5.2, m 4.3..5.7, f 3.8..5.1|||A12.05.118|1017375|789-8
HGB|Гемоглобин|г/л|0|<14 110..145 !70..200, p1 110..140 !70..200, p2 110..140 !70..200, p3 110..140 !70..200, m 132..173 !70..200, f 117..155 !70..200|||A09.05.003|1017128|718-7
HCT|Гематокрит|%|1|m 39..49 !20..60, f 35..45 !20..60|||A12.05.117|1017359|4544-3
MCV|Средний объём эритроцита|фл|1|80..99|||||787-2
MCH|Среднее содержание гемоглобина|пг|1|27..34|||||785-6
MCHC|Средняя концентрация гемоглобина|г/л|0|320..360|||||786-4
RDW|Распределение эритроцитов (RDW-CV)|%|1|11.6..14.8|||||788-0
PLT|Тромбоциты|10^9/л|0|150..400 !30..1000|||A12.05.120|1017862|777-3
MPV|Средний объём тромбоцита|фл|1|7.4..10.4|||||32623-1
NEUP|Нейтрофилы, %|%|1|<6 32..55, 47..72|||A12.05.121|1018290|770-8
LYMP|Лимфоциты, %|%|1|<6 33..55, 19..37|||A12.05.121|1018134|736-9
MONP|Моноциты, %|%|1|3..11|||A12.05.121|1018092|5905-5
EOSP|Эозинофилы, %|%|1|0.5..5|||A12.05.121|1018464|713-8
BASP|Базофилы, %|%|1|..1|||A12.05.121|1018423|706-2
NEU|Нейтрофилы|10^9/л|2|2..5.5 !0.5..|||A12.05.121|1018282|751-8
LYM|Лимфоциты|10^9/л|2|1.2..3|||A12.05.121|1018126|731-0
MON|Моноциты|10^9/л|2|0.09..0.6|||A12.05.121|1018084|742-7
EOS|Эозинофилы|10^9/л|2|0.02..0.3|||A12.05.121|1018456|711-2
BAS|Базофилы|10^9/л|2|..0.07|||A12.05.121|1018415|704-7`

/** Detected or not; the norm is not detected. @ marks the test's code of 804н. */
export const infections: readonly (readonly [agent: string, classes: string, code804?: string])[] = [
  ['ВИЧ 1/2 и антиген p24', '', 'A26.06.049.001'],
  ['Вирус гепатита C, антитела', '', 'A26.06.041.002'],
  ['HBsAg', '', 'A26.06.036.001'],
  ['Сифилис RPR', '', 'A26.06.082.001'],
  ['Treponema pallidum', 'IgG IgM', ''],
  ['Вирус гепатита A', 'IgG IgM', ''],
  ['HBcore', 'IgM сумм', ''],
  ['Вирус гепатита D', 'IgG IgM', ''],
  ['Вирус гепатита E', 'IgG IgM', ''],
  ['Toxoplasma gondii', 'IgG IgM', ''],
  ['Цитомегаловирус', 'IgG IgM', ''],
  ['Вирус краснухи', 'IgG IgM', ''],
  ['Вирус простого герпеса 1 и 2 типа', 'IgG IgM', ''],
  ['Вирус Эпштейна — Барр, VCA', 'IgG IgM', ''],
  ['Вирус Эпштейна — Барр, EBNA', 'IgG', ''],
  ['Вирус кори', 'IgG IgM', ''],
  ['Вирус ветряной оспы', 'IgG IgM', ''],
  ['Вирус эпидемического паротита', 'IgG IgM', ''],
  ['Вирус клещевого энцефалита', 'IgG IgM', ''],
  ['Borrelia burgdorferi', 'IgG IgM', ''],
  ['Chlamydia trachomatis', 'IgA IgG', ''],
  ['Chlamydia pneumoniae', 'IgG IgM', ''],
  ['Mycoplasma pneumoniae', 'IgG IgM', ''],
  ['Ureaplasma urealyticum', 'IgA IgG', ''],
  ['Helicobacter pylori', 'IgG IgA', 'A26.06.033'],
  ['SARS-CoV-2', 'IgG IgM', ''],
  ['Bordetella pertussis', 'IgG IgM', ''],
  ['Лямблии', 'сумм', ''],
  ['Аскариды', 'IgG', ''],
  ['Токсокары', 'IgG', ''],
  ['Эхинококк', 'IgG', ''],
  ['Описторхоз', 'IgG', ''],
  ['Трихинелла', 'IgG', ''],
]

export const pcrAgents: readonly string[] = [
  'Chlamydia trachomatis',
  'Mycoplasma genitalium',
  'Mycoplasma hominis',
  'Ureaplasma urealyticum',
  'Ureaplasma parvum',
  'Neisseria gonorrhoeae',
  'Trichomonas vaginalis',
  'Gardnerella vaginalis',
  'Candida albicans',
  'Вирус простого герпеса 1 и 2 типа',
  'Цитомегаловирус',
  'ВПЧ 16 и 18 типа',
  'ВПЧ высокого риска, 14 типов',
  'ВПЧ 6 и 11 типа',
  'Вирус Эпштейна — Барр',
  'Вирус герпеса 6 типа',
  'Вирус гриппа A',
  'Вирус гриппа B',
  'SARS-CoV-2',
  'Респираторно-синцитиальный вирус',
  'Аденовирус',
  'Mycoplasma pneumoniae',
  'Chlamydia pneumoniae',
  'Bordetella pertussis',
  'Вирус гепатита B, ДНК',
  'Вирус гепатита C, РНК',
  'Helicobacter pylori',
  'Ротавирус',
  'Норовирус',
  'Salmonella spp.',
]

export const allergens: readonly string[] = [
  'Берёза',
  'Тимофеевка',
  'Полынь',
  'Амброзия',
  'Ольха',
  'Лебеда',
  'Подсолнечник',
  'Кошка, эпителий',
  'Собака, эпителий',
  'Клещ Dermatophagoides pteronyssinus',
  'Клещ Dermatophagoides farinae',
  'Домашняя пыль',
  'Таракан',
  'Alternaria',
  'Aspergillus',
  'Молоко коровье',
  'Казеин',
  'Бета-лактоглобулин',
  'Яичный белок',
  'Яичный желток',
  'Пшеница',
  'Глютен',
  'Соя',
  'Арахис',
  'Фундук',
  'Грецкий орех',
  'Треска',
  'Лосось',
  'Креветка',
  'Курица',
  'Говядина',
  'Рис',
  'Гречка',
  'Картофель',
  'Морковь',
  'Томат',
  'Яблоко',
  'Апельсин',
  'Банан',
  'Клубника',
  'Шоколад',
  'Мёд',
  'Пчела, яд',
  'Оса, яд',
  'Латекс',
  'Пенициллин',
  'Амоксициллин',
  'Лидокаин',
]

/** Tests with text values: microscopy and cultures. */
export const described: readonly (readonly [
  name: string,
  section: Section,
  material: Biomaterial,
  container: string,
  price: number,
  term: number,
  code804?: string,
  norm?: string,
])[] = [
  ['Общий анализ кала (копрограмма)', 'urine', 'stool', 'Контейнер для кала', 480, 1, '', 'без патологии'],
  ['Кал на скрытую кровь', 'urine', 'stool', 'Контейнер для кала', 390, 1, '', 'не обнаружено'],
  ['Кал на яйца гельминтов', 'urine', 'stool', 'Контейнер для кала', 420, 1, '', 'не обнаружено'],
  ['Соскоб на энтеробиоз', 'urine', 'scraping', 'Стекло предметное', 290, 1, undefined, 'не обнаружено'],
  ['Кальпротектин в кале', 'immunology', 'stool', 'Контейнер для кала', 2290, 3, undefined, 'до 50 мкг/г'],
  ['Мазок на флору', 'cytology', 'smear', 'Стекло предметное', 520, 1, undefined, 'умеренная'],
  ['Цитология шейки матки', 'cytology', 'scraping', 'Стекло предметное', 890, 3, '', 'NILM'],
  ['Жидкостная цитология', 'cytology', 'scraping', 'Флакон для цитологии', 1690, 4, undefined, 'NILM'],
  ['Гистология биоптата', 'cytology', 'tissue', 'Контейнер с формалином', 2490, 7, undefined, 'без атипии'],
  ['Посев мочи на флору', 'microbiology', 'urine', 'Контейнер для мочи', 1190, 4, undefined, 'роста нет'],
  ['Посев из зева на флору', 'microbiology', 'smear', 'Тампон с транспортной средой', 1190, 4, undefined, 'роста нет'],
  [
    'Посев на Staphylococcus aureus',
    'microbiology',
    'smear',
    'Тампон с транспортной средой',
    990,
    3,
    undefined,
    'роста нет',
  ],
  [
    'Посев на стрептококк группы A',
    'microbiology',
    'smear',
    'Тампон с транспортной средой',
    990,
    3,
    undefined,
    'роста нет',
  ],
  ['Посев на грибы Candida', 'microbiology', 'smear', 'Тампон с транспортной средой', 990, 5, undefined, 'роста нет'],
  ['Посев крови на стерильность', 'microbiology', 'venous', 'Флакон для посева крови', 1890, 7, undefined, 'роста нет'],
  [
    'Посев кала на патогенную флору',
    'microbiology',
    'stool',
    'Тампон с транспортной средой',
    1190,
    4,
    undefined,
    'не обнаружено',
  ],
  ['Спермограмма, заключение', 'urine', 'semen', 'Контейнер для мочи', 1990, 1, undefined, 'нормозооспермия'],
  ['Антинуклеарные антитела', 'immunology', 'serum', 'Жёлтая, гель', 890, 3, '', 'не обнаружено'],
  ['Антитела к кардиолипину', 'immunology', 'serum', 'Жёлтая, гель', 990, 4, undefined, 'не обнаружено'],
  ['Антитела к двуспиральной ДНК', 'immunology', 'serum', 'Жёлтая, гель', 990, 4, undefined, 'не обнаружено'],
  ['Группа крови AB0', 'immunology', 'venous', 'Фиолетовая, ЭДТА', 420, 1, ''],
  ['Резус-фактор', 'immunology', 'venous', 'Фиолетовая, ЭДТА', 360, 1, ''],
]

/** Panels: name, price, codes of their tests; the panel price is below the sum of its tests. */
export const panels: readonly (readonly [name: string, price: number, codes: string, code804?: string])[] = [
  ['Биохимия крови, минимум', 1290, 'GLU CREA UREA ALT AST TBIL TP'],
  ['Биохимия крови, стандарт', 2390, 'GLU CREA UREA UA ALT AST GGT ALP TBIL DBIL TP ALB CHOL', ''],
  ['Липидный профиль', 980, 'CHOL HDL TG LDL', ''],
  ['Липидный профиль расширенный', 2490, 'CHOL HDL TG LDL APOA APOB LPA'],
  ['Печёночный профиль', 1390, 'ALT AST GGT ALP TBIL DBIL IBIL ALB'],
  ['Почечный профиль', 990, 'CREA UREA UA K NA CL'],
  ['Электролиты', 590, 'K NA CL'],
  ['Обмен железа', 1490, 'FE UIBC TRF FERR'],
  ['Анемия', 2690, 'FE FERR B12 FOL OAK'],
  ['Щитовидная железа, скрининг', 990, 'TSH FT4'],
  ['Щитовидная железа, полный', 2490, 'TSH FT4 FT3 ATPO ATG'],
  ['Коагулограмма', 1090, 'APTT PT INR TT FIB', ''],
  ['Гемостаз расширенный', 2790, 'APTT PT INR TT FIB DD AT3'],
  ['Тромбофилия', 5490, 'DD AT3 PC PS F8 LA'],
  ['Диабет: контроль', 1790, 'GLU HBA1C INS CPEP'],
  ['Инсулинорезистентность', 980, 'GLU INS HOMA'],
  ['Женское здоровье', 3490, 'LH FSH PRL E2 TEST DHEAS'],
  ['Мужское здоровье', 2690, 'TEST SHBG PRL LH PSA'],
  ['Планирование беременности', 4990, 'TSH PRL AMH VITD FERR OAK'],
  ['Беременность: первый триместр', 3990, 'HCG TSH FERR GLU OAK OAM'],
  ['Онкоскрининг женский', 2990, 'CA125 CA153 CEA HE4'],
  ['Онкоскрининг мужской', 2490, 'PSA FPSA CEA CA199'],
  ['Кардиориск', 3490, 'CHOL HDL TG LDL HCY CRP BNP'],
  ['Острая боль в груди', 2390, 'TNI CKMB MYO'],
  ['Воспаление', 1390, 'OAK CRP ESR'],
  ['Ревматологический профиль', 2490, 'CRP RF ASLO ACCP UA'],
  ['Кости и витамин D', 2990, 'CA P PTH VITD ALP'],
  ['Поджелудочная железа', 1190, 'AMY PAMY LIP GLU'],
  ['Иммуноглобулины', 1690, 'IGA IGM IGG IGE'],
  ['Ежегодный осмотр', 2990, 'OAK OAM GLU CREA ALT AST CHOL TSH'],
]
