import type { Seed } from "./store.ts";

/**
 * Authors, each with a few titles. The top books have a `*`. Authors with a `?` are pseudonymous: they are missing from
 * the table of authors on purpose.
 */
const CATALOGUE = `
Murasaki Shikibu: *The Tale of Genji
Miguel de Cervantes: *Don Quixote
Johann Wolfgang von Goethe: The Sorrows of Young Werther; Elective Affinities
Jane Austen: Sense and Sensibility; *Pride and Prejudice; Mansfield Park; Emma; Persuasion
Mary Shelley: *Frankenstein; The Last Man
Victor Hugo: The Hunchback of Notre-Dame; Les Misérables; Toilers of the Sea
Alexandre Dumas: The Three Musketeers; *The Count of Monte Cristo
Nikolai Gogol: Dead Souls
Charles Dickens: Oliver Twist; David Copperfield; Bleak House; A Tale of Two Cities; Great Expectations
Charlotte Brontë: *Jane Eyre; Shirley; Villette
Emily Brontë: Wuthering Heights
Anne Brontë: Agnes Grey; The Tenant of Wildfell Hall
George Eliot: Adam Bede; The Mill on the Floss; Silas Marner; *Middlemarch
Nathaniel Hawthorne: The Scarlet Letter; The House of the Seven Gables
Herman Melville: Typee; *Moby-Dick
Gustave Flaubert: *Madame Bovary; Sentimental Education
Ivan Turgenev: Fathers and Sons
Fyodor Dostoevsky: *Crime and Punishment; The Idiot; Demons; The Brothers Karamazov
Leo Tolstoy: *War and Peace; Anna Karenina; The Death of Ivan Ilyich; Resurrection
Lewis Carroll: Alice's Adventures in Wonderland; Through the Looking-Glass
Jules Verne: Journey to the Center of the Earth; Twenty Thousand Leagues Under the Seas
Émile Zola: L'Assommoir; Nana; Germinal
Mark Twain: The Adventures of Tom Sawyer; Adventures of Huckleberry Finn
Thomas Hardy: Far from the Madding Crowd; Tess of the d'Urbervilles; Jude the Obscure
Henry James: The Portrait of a Lady; The Turn of the Screw; The Ambassadors
Robert Louis Stevenson: Treasure Island; Kidnapped; Strange Case of Dr Jekyll and Mr Hyde
Oscar Wilde: The Picture of Dorian Gray
Bram Stoker: *Dracula
H. G. Wells: The Time Machine; The Invisible Man; The War of the Worlds
Joseph Conrad: *Heart of Darkness; Lord Jim; Nostromo; The Secret Agent
Edith Wharton: The House of Mirth; Ethan Frome; The Age of Innocence
E. M. Forster: A Room with a View; Howards End; A Passage to India
Thomas Mann: Buddenbrooks; Death in Venice; The Magic Mountain; Doctor Faustus
James Joyce: Dubliners; A Portrait of the Artist as a Young Man; *Ulysses; Finnegans Wake
Franz Kafka: The Metamorphosis; *The Trial; The Castle
Hermann Hesse: Siddhartha; Steppenwolf; The Glass Bead Game
Virginia Woolf: *Mrs Dalloway; To the Lighthouse; Orlando; The Waves
F. Scott Fitzgerald: This Side of Paradise; *The Great Gatsby; Tender Is the Night
Ernest Hemingway: The Sun Also Rises; A Farewell to Arms; For Whom the Bell Tolls; The Old Man and the Sea
William Faulkner: *The Sound and the Fury; As I Lay Dying; Light in August; Absalom, Absalom!
Agatha Christie: The Murder of Roger Ackroyd; Murder on the Orient Express; And Then There Were None
Aldous Huxley: Point Counter Point; Brave New World
George Orwell: Burmese Days; Homage to Catalonia; Animal Farm; *Nineteen Eighty-Four
John Steinbeck: Of Mice and Men; The Grapes of Wrath; Cannery Row; East of Eden
Zora Neale Hurston: Their Eyes Were Watching God
J. R. R. Tolkien: The Hobbit; The Fellowship of the Ring; The Two Towers; The Return of the King
Albert Camus: *The Stranger; The Plague; The Fall
Jorge Luis Borges: Ficciones; The Aleph
Isaac Asimov: I, Robot; Foundation; The Caves of Steel; The Gods Themselves
Ray Bradbury: The Martian Chronicles; Fahrenheit 451; Something Wicked This Way Comes
Ralph Ellison: *Invisible Man
James Baldwin: Go Tell It on the Mountain; Giovanni's Room; Another Country
Italo Calvino: The Baron in the Trees; Invisible Cities; If on a winter's night a traveler
Chinua Achebe: *Things Fall Apart; No Longer at Ease; Arrow of God
Kurt Vonnegut: The Sirens of Titan; Cat's Cradle; Slaughterhouse-Five
Philip K. Dick: The Man in the High Castle; Do Androids Dream of Electric Sheep?; Ubik
Frank Herbert: Dune; Dune Messiah
Mikhail Bulgakov: The White Guard; The Master and Margarita
Gabriel García Márquez: *One Hundred Years of Solitude; Love in the Time of Cholera
Ursula K. Le Guin: A Wizard of Earthsea; *The Left Hand of Darkness; The Lathe of Heaven; The Dispossessed
Toni Morrison: The Bluest Eye; Sula; Song of Solomon; *Beloved
Octavia E. Butler: Kindred; Wild Seed; Parable of the Sower
Umberto Eco: The Name of the Rose; Foucault's Pendulum
Isabel Allende: The House of the Spirits
Margaret Atwood: The Handmaid's Tale; Alias Grace; The Blind Assassin; Oryx and Crake
Kazuo Ishiguro: An Artist of the Floating World; The Remains of the Day; Never Let Me Go
Haruki Murakami: Norwegian Wood; Kafka on the Shore; 1Q84
?B. Traven: The Death Ship; The Treasure of the Sierra Madre
?Elena Ferrante: The Days of Abandonment; *My Brilliant Friend; The Story of a New Name
`;

const FIRST_CREATED = Date.UTC(2023, 0, 2, 9);
/** In milliseconds: about 41 hours. */
const INTERVAL = 148_623_457;

const works = CATALOGUE.trim().split("\n").map((line) => {
  const [name = "", titles = ""] = line.split(": ");
  return { authorId: slug(name), name, titles: titles.split("; ") };
});

/** Real books by real authors, with creation times in 2023. The seed is always the same. */
export const seed: Seed = {
  authors: works.filter(({ name }) => !name.startsWith("?")).map(({ authorId, name }) => ({ id: authorId, name })),
  // The authors alternate, so that a page of the list has many authors.
  books: works
    .flatMap(({ authorId, titles }) => titles.map((title, turn) => ({ authorId, title, turn })))
    .sort((a, b) => a.turn - b.turn)
    .map(({ authorId, title }, index) => ({
      id: slug(title),
      title: title.replace("*", ""),
      authorId,
      createdAt: new Date(FIRST_CREATED + index * INTERVAL).toISOString(),
    })),
  top: works.flatMap(({ titles }) => titles.filter((title) => title.startsWith("*")).map(slug)),
};

/** Converts a title or a name to an id: `Les Misérables` to `les-miserables`. */
function slug(text: string): string {
  const words = text.normalize("NFD").replace(/[\p{Mark}'.*?]/gu, "").toLowerCase();
  return words.replace(/[^a-z0-9]+/g, "-").replace(/-$/, "");
}
