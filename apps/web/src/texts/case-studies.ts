import { fr } from './typography.ts'

export interface CaseStudyText {
  title: string
  lead: string
  sections: { title: string; paragraphs: string[] }[]
}

/** What stands before the form of each case study. */
export const caseStudyTexts: Record<string, CaseStudyText> = {
  eogn: {
    title: fr('Melun, le quartier de l’EOGN'),
    lead: fr(
      'Une école de la gendarmerie au cœur de la ville, un projet d’aménagement imaginé pour l’exercice, et une question : que devient l’eau de pluie quand le sol change ?',
    ),
    sections: [
      {
        title: fr('La ville de Melun'),
        paragraphs: [
          fr(
            'Melun, préfecture de Seine-et-Marne, se tient à une quarantaine de kilomètres au sud-est de Paris. La ville est née sur une île de la Seine, puis a gagné les deux rives ; l’Almont la rejoint par le nord-est. Les coteaux amènent vers les quais ce que les plateaux n’ont pas absorbé.',
          ),
          fr(
            'Le centre ancien est dense et presque partout revêtu. Les crues lentes de la Seine y sont bien connues ; les orages d’été le sont moins : en une demi-heure, quelques rues en creux se remplissent pendant que le fleuve ne bouge pas. C’est cette seconde inondation, celle du ruissellement, que l’on étudie ici.',
          ),
        ],
      },
      {
        title: fr('L’histoire de l’école'),
        paragraphs: [
          fr(
            'L’École des officiers de la gendarmerie nationale s’est installée à Melun en 1945, dans le quartier Augereau, une ancienne caserne de cavalerie proche du centre. Des générations d’officiers y ont été formées. L’établissement a changé de nom avec les réformes de la formation, mais le sigle EOGN est resté dans l’usage et désigne encore le site.',
          ),
          fr(
            'L’ensemble garde son plan de caserne : de longs bâtiments autour de cours, une place d’armes, des allées et quelques pelouses. Beaucoup de surfaces y sont imperméables, et presque aucune n’a été pensée pour retenir la pluie.',
          ),
        ],
      },
      {
        title: fr('Le projet fictif'),
        paragraphs: [
          fr(
            'Imaginons que le site s’ouvre à la ville. Des logements et un équipement public prendraient place dans l’enceinte, des cours deviendraient des jardins, une partie des voies serait rendue au sol. Aucun projet réel n’est décrit : le programme est à vous, et il n’engage que l’exercice.',
          ),
          fr(
            'Vous pouvez remplacer un parking par une noue, planter la place d’armes, bâtir une parcelle libre, ou tout cela ensemble. Seules les cellules du site se modifient ; le reste de la ville demeure tel qu’il est.',
          ),
        ],
      },
      {
        title: fr('La méthode'),
        paragraphs: [
          fr(
            'Le bassin est découpé en carrés de 10 m. Vous choisissez d’abord les modules du calcul, puis vous peignez l’occupation des sols sur la carte, et vous donnez enfin une pluie : un évènement mesuré par le radar, une période de son archive, ou une pluie de projet.',
          ),
          fr(
            'Le modèle suit l’eau à la surface, dans le sol et dans les égouts, et rend les hauteurs d’eau, les débits des conduites et un bilan en volume. Lancez la même pluie sur la carte de référence et sur la vôtre : c’est l’écart entre les deux qui parle.',
          ),
        ],
      },
      {
        title: fr('Les motivations'),
        paragraphs: [
          fr(
            'Les pluies intenses devraient devenir plus fréquentes, et les réseaux ne peuvent pas grandir sans fin. Rendre de la place à l’eau là où elle tombe est souvent plus simple, et profite aussi à l’ombre et à la fraîcheur. Encore faut-il savoir combien, et où.',
          ),
          fr(
            'Ce cas d’étude sert à le mesurer : quel volume n’arrive plus au réseau, quelle rue reste au sec, et à partir de quelle pluie l’aménagement ne suffit plus.',
          ),
        ],
      },
    ],
  },
  oxygene: {
    title: fr('Melun, le site Oxygène'),
    lead: fr(
      'Un secteur à dessiner à l’échelle d’un îlot, pour voir ce que quelques hectares de sol changent aux écoulements d’aval.',
    ),
    sections: [
      {
        title: fr('Le site'),
        paragraphs: [
          fr(
            'Le secteur Oxygène est un morceau de ville délimité sur la carte du bassin de Melun. Rues, bâtiments et espaces verts s’y mêlent, et ses eaux rejoignent le réseau des quartiers situés plus bas. Seules ses cellules se modifient.',
          ),
        ],
      },
      {
        title: fr('Ce que l’on cherche'),
        paragraphs: [
          fr(
            'Plus de pleine terre, des pavés drainants, des toits en plus ou en moins : chaque choix avance ou retarde l’eau. Comparez votre carte à celle de référence sous la même pluie, et regardez les hauteurs d’eau dans les rues voisines autant que dans le site.',
          ),
        ],
      },
    ],
  },
}
