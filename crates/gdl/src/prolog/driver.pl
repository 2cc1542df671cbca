
% ---------------------------------------------------------------------------------------------------------------------
% The driver: plays the game that stands above. A state is a sorted list of fluents, a joint move a list of does(Role, Move).
%
%   playouts(Seconds, Seed)   random playouts for so much CPU time
%   minimax(Seconds)          iterative deepening without pruning for so much CPU time, or until everything was searched
%   count(Depth)              the nodes of a search to a fixed depth
%   trace(Seed, Steps)        one random playout with everything that holds on the way, to be compared with other reasoners
%
% A node is a joint move that was made. Goals are asked for at the end of a game, so that their cost counts.
% ---------------------------------------------------------------------------------------------------------------------

% Facts, if the state is asserted.
add_all([]).
add_all([Fact | Facts]) :- assertz(state(Fact)), add_all(Facts).

add_moves([]).
add_moves([does(Role, Move) | Moves]) :- assertz(move(Role, Move)), add_moves(Moves).

% Answers that depend on the state are forgotten with it.
:- if(current_prolog_flag(dialect, yap)).
forget(Head) :- functor(Head, Name, Arity), abolish_table(Name / Arity).
:- else.
forget(Head) :- abolish_table_subgoals(Head).
:- endif.

% As member/2, which not every system has at hand.
among(Element, [First | Rest]) :- among(Rest, Element, First).

among(_, Element, Element).
among([Next | Rest], Element, _) :- among(Rest, Element, Next).

% The game, seen from outside.
roles(Roles) :- findall(Role, role_of_game(Role), Roles).

start(State) :- findall(Fact, first_fact(Fact), Facts), sort(Facts, State).

moves_of(State, Role, Moves) :- findall(Move, legal_in(State, Role, Move), All), sort(All, Moves).

make(State, Joint, Next) :-
    announce(Joint),
    findall(Fact, next_in(State, Joint, Fact), Facts),
    sort(Facts, Next),
    enter(Next),
    increase(nodes).

goals(State) :- findall(Role - Value, goal_in(State, Role, Value), _).

joints(State, Joints) :-
    roles(Roles),
    findall(Role - Moves, (among(Role, Roles), moves_of(State, Role, Moves)), Choices),
    findall(Joint, choose(Choices, Joint), Joints).

choose([], []).
choose([Role - Moves | Choices], [does(Role, Move) | Joint]) :- among(Move, Moves), choose(Choices, Joint).

% Counters, time and chance.
increase(Counter) :- nb_getval(Counter, Old), New is Old + 1, nb_setval(Counter, New).

milliseconds(Time) :- statistics(runtime, [Time | _]).

begin(Seconds) :-
    nb_setval(nodes, 0),
    nb_setval(playouts, 0),
    milliseconds(Now),
    nb_setval(began, Now),
    Deadline is Now + Seconds * 1000,
    nb_setval(deadline, Deadline).

is_late :- milliseconds(Now), nb_getval(deadline, Deadline), Now >= Deadline.

report(What) :-
    milliseconds(Now),
    nb_getval(began, Began),
    Time is Now - Began,
    nb_getval(nodes, Nodes),
    nb_getval(playouts, Playouts),
    write(What), write(' nodes '), write(Nodes), write(' playouts '), write(Playouts),
    write(' milliseconds '), write(Time), nl.

random_below(Count, Number) :-
    nb_getval(seed, Old),
    New is (Old * 1103515245 + 12345) mod 2147483648,
    nb_setval(seed, New),
    Number is (New // 65536) mod Count.

element(0, [Element | _], Element) :- !.
element(Place, [_ | Rest], Element) :- Before is Place - 1, element(Before, Rest, Element).

random_joint(State, Joint) :- roles(Roles), random_joint(Roles, State, Joint).

random_joint([], _, []).
random_joint([Role | Roles], State, [does(Role, Move) | Joint]) :-
    moves_of(State, Role, Moves),
    length(Moves, Count),
    Count > 0,
    random_below(Count, Place),
    element(Place, Moves, Move),
    random_joint(Roles, State, Joint).

% Random playouts. One that time cuts off counts by its nodes, not as a playout.
playouts(Seconds, Seed) :-
    nb_setval(seed, Seed),
    begin(Seconds),
    start(State),
    repeat,
    \+ \+ playout(State),
    is_late,
    !,
    report(playouts).

playout(State) :- enter(State), walk(State).

walk(State) :- terminal_in(State), !, goals(State), increase(playouts).
walk(_) :- is_late, !.
walk(State) :- random_joint(State, Joint), !, make(State, Joint, Next), walk(Next).
walk(_).

% Minimax without values: the whole tree, as deep as time allows.
minimax(Seconds) :-
    begin(Seconds),
    start(State),
    enter(State),
    deepen(State, 0),
    report(minimax).

deepen(State, Depth) :-
    search(State, Depth, Whole),
    (   ( Whole == yes ; is_late )
    ->  true
    ;   Deeper is Depth + 1,
        deepen(State, Deeper)
    ).

count(Depth) :-
    begin(1000000),
    start(State),
    enter(State),
    search(State, Depth, _),
    report(count).

% Whole is yes if all games below ended.
search(_, _, no) :- is_late, !.
search(State, _, yes) :- terminal_in(State), !, goals(State).
search(_, 0, no) :- !.
search(State, Depth, Whole) :-
    joints(State, Joints),
    Less is Depth - 1,
    search_all(Joints, State, Less, yes, Whole).

search_all([], _, _, Whole, Whole).
search_all([Joint | Joints], State, Depth, Before, Whole) :-
    make(State, Joint, Next),
    search(Next, Depth, One),
    enter(State),
    (   One == yes
    ->  search_all(Joints, State, Depth, Before, Whole)
    ;   is_late
    ->  Whole = no
    ;   search_all(Joints, State, Depth, no, Whole)
    ).

% A playout in words: one line a fact, terms as in rule sheets.
trace(Seed, Steps) :-
    nb_setval(seed, Seed),
    begin(1000000),
    start(State),
    enter(State),
    trace_state(State, Steps).

trace_state(State, Steps) :-
    line([state]),
    forall(among(Fact, State), line([fact, Fact])),
    (   terminal_in(State)
    ->  line([terminal]), Over = yes
    ;   Over = no
    ),
    findall(Role - Value, goal_in(State, Role, Value), Pairs),
    sort(Pairs, Goals),
    forall(among(Role - Value, Goals), line([goal, Role, Value])),
    (   Over == no, Steps > 0
    ->  trace_moves(State, Steps)
    ;   line([end])
    ).

trace_moves(State, Steps) :-
    roles(Roles),
    forall(( among(Role, Roles), moves_of(State, Role, Moves), among(Move, Moves) ), line([legal, Role, Move])),
    (   random_joint(State, Joint)
    ->  forall(among(does(Role, Move), Joint), line([does, Role, Move])),
        announce(Joint),
        findall(Role - Percept, sees_in(State, Joint, Role, Percept), Pairs),
        sort(Pairs, Percepts),
        forall(among(Role - Percept, Percepts), line([sees, Role, Percept])),
        make(State, Joint, Next),
        Left is Steps - 1,
        trace_state(Next, Left)
    ;   line([end])
    ).

line([Word]) :- !, write_term_of_game(Word), nl.
line([Word | Words]) :- write_term_of_game(Word), write(' '), line(Words).

write_term_of_game(Term) :-
    Term =.. [Name | Args],
    (   Args == []
    ->  write(Name)
    ;   write('('), write(Name), write_args(Args), write(')')
    ).

write_args([]).
write_args([Arg | Args]) :- write(' '), write_term_of_game(Arg), write_args(Args).
